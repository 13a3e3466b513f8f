s/((1u << lane) - 1)/((2u << lane) - 1)/
