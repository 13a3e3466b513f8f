/* options_table.h: the rows of options.c's table. In order of subject: the alphabet would part what belongs together.
 */
static const Option table[] = {
    /* what to make */
    {"-o|--output-file", JOINED, set, MEMBER(output), NULL},
    {"-odir|--output-directory", VALUE, set, MEMBER(directory), NULL},
    {"-c|--compile|-dc|--device-c|-dw|--device-w", FLAG, set_mode, MODE_OBJECT, NULL},
    {"-E|--preprocess", FLAG, set_mode, MODE_PREPROCESS, NULL},
    {"-dlink|--device-link", FLAG, set_mode, MODE_DEVICE_LINK, NULL},
    {"-lib|--lib", FLAG, set_mode, MODE_LIBRARY, NULL},
    {"-shared|--shared", FLAG, on, MEMBER(shared), NULL},
    {"-x|--x", VALUE, set, MEMBER(language), NULL},
    {"-link|--link", FLAG, set_mode, MODE_LINK, NULL},
    {"-run|--run", FLAG, on, MEMBER(run), NULL},
    {"-run-args|--run-args", VALUE, run_arguments, 0, NULL},
    {"-cubin|--cubin", FLAG, image, 0, "cubin"},
    {"-fatbin|--fatbin", FLAG, image, 0, "fatbin"},
    {"-ptx|--ptx", FLAG, image, 0, "ptx"},
    {"-optix-ir|--optix-ir|-ltoir|--ltoir|-cuda|--cuda", FLAG, no_gpu_code, 0, NULL},
    {"--list-gpu-arch|-arch-ls", FLAG, list_architectures, 0, "compute"},
    {"--list-gpu-code|-code-ls", FLAG, list_architectures, 0, "sm"},

    /* the preprocessor's */
    {"-I|--include-path", JOINED, to_preprocessor, 0, "-I", true},
    {"-D|--define-macro", JOINED, to_preprocessor, 0, "-D", true},
    {"-U|--undefine-macro", JOINED, to_preprocessor, 0, "-U", true},
    {"-isystem|--system-include", JOINED, to_preprocessor, 0, "-isystem", true},
    {"-include|--pre-include", VALUE, to_preprocessor, 0, "-include", true},
    {"-idirafter", VALUE, to_preprocessor, 0, "-idirafter"},
    {"-iquote", JOINED, to_preprocessor, 0, "-iquote"},
    {"-M|--generate-dependencies", FLAG, print_dependencies, 0, "-M"},
    {"-MM|--generate-nonsystem-dependencies", FLAG, print_dependencies, 0, "-MM"},
    {"-MD|--generate-dependencies-with-compile", FLAG, dependencies, 0, "-MD"},
    {"-MMD|--generate-nonsystem-dependencies-with-compile", FLAG, dependencies, 0, "-MMD"},
    {"-MP|--generate-dependency-targets", FLAG, dependencies, 0, "-MP"},
    {"-MF|--dependency-output", VALUE, dependencies, 0, "-MF"},
    {"-MT|--dependency-target-name", VALUE, dependencies, 0, "-MT"},
    {"-MQ", VALUE, dependencies, 0, "-MQ"},
    {"-default-stream|--default-stream", VALUE, default_stream, 0, NULL},

    /* the compiler's */
    {"-std|--std", VALUE, set, MEMBER(standard), "-std="},
    {"-O0|-O1|-O2|-O3|-Os|-Og|-Ofast", FLAG, set, MEMBER(optimise), NULL},
    {"-O|--optimize", VALUE, set, MEMBER(optimise), "-O"},
    {"-g|--debug", FLAG, set, MEMBER(debug), "-g"},
    {"-G|--device-debug", FLAG, device_debug, 0, NULL},
    {"-lineinfo|--generate-line-info", FLAG, line_information, 0, NULL},
    {"-fmad|--fmad", VALUE, multiply_add, 0, NULL},
    {"-ftz|--ftz", VALUE, flush_to_zero, 0, NULL},
    {"-use_fast_math|--use_fast_math", FLAG, on, MEMBER(fast_math), NULL},
    {"-Xcompiler|--compiler-options", VALUE, host_options, 0, NULL},
    {"-Werror|--Werror", OPTIONAL, warnings_are_errors, 0, NULL},
    {"-disable-warnings|--disable-warnings", FLAG, to_compiler, 0, "-w"},
    {"-ftemplate-depth|--ftemplate-depth", VALUE, with_value, 0, "-ftemplate-depth="},
    {"-ftemplate-backtrace-limit|--ftemplate-backtrace-limit", VALUE, with_value, 0, "-ftemplate-backtrace-limit="},
    {"-frandom-seed|--frandom-seed", VALUE, with_value, 0, "-frandom-seed="},
    {"-noeh|--no-exceptions", FLAG, to_compiler, 0, "-fno-exceptions"},
    {"-W|-f|-m|-static", PREFIX, to_compiler, 0, NULL},
    {"-w|-pthread|-pg|-pipe|-P|-C|-rdynamic|-no-pie|-pie", FLAG, to_compiler, 0, NULL},

    /* the linker's */
    {"-Xlinker|--linker-options", VALUE, linker_options, 0, NULL},
    {"-L|--library-path", JOINED, library_folder, 0, NULL, true},
    {"-l|--library", JOINED, library, 0, NULL, true},
    {"-Wl,", PREFIX, to_linker, 0, NULL},

    /* of a GPU's code only the architecture that a program can ask for matters */
    {"-arch|--gpu-architecture", VALUE, architecture, 0, NULL},
    {"-code|--gpu-code|-gencode|--generate-code|-Xptxas|--ptxas-options|-Xnvlink|--nvlink-options", VALUE, ignore, 0,
     NULL},
    {"-Xfatbin|--fatbin-options|-Xcudafe|-maxrregcount|--maxrregcount|-cudart|--cudart|-cudadevrt|--cudadevrt", VALUE,
     ignore, 0, NULL},
    {"-ccbin|--compiler-bindir|-prec-div|--prec-div|-prec-sqrt|--prec-sqrt|--machine|-keep-dir|--keep-dir", VALUE,
     ignore, 0, NULL},
    {"-diag-suppress|--diag-suppress|-diag-error|--diag-error|-diag-warn|--diag-warn|--display-error-number-for|-res-"
     "usage-of",
     VALUE, ignore, 0, NULL},
    {"--compress-mode|--split-compile", VALUE, ignore, 0, NULL},
    {"-t|--threads", NUMBER, ignore, 0, NULL},
    {"-rdc|--relocatable-device-code", OPTIONAL, true_or_false, 0, NULL},
    {"-m64|-extended-lambda|--extended-lambda|-restrict|--restrict|-keep|--keep", FLAG, ignore, 0, NULL},
    {"-allow-unsupported-compiler|--allow-unsupported-compiler|-Wno-deprecated-gpu-targets|-res-usage|--resource-usage",
     FLAG, ignore, 0, NULL},
    {"--source-in-ptx|-src-in-ptx|--dlto|-dlto|--dlink-time-opt|-lto|--lto|-gen-opt-lto|--gen-opt-lto", FLAG, ignore, 0,
     NULL},
    {"-reloc-ptx|--relocatable-ptx|-ewp|--extensible-whole-program|--extra-device-vectorization|-extra-device-"
     "vectorization|--keep-device-functions|-keep-device-functions|--no-compress|-no-compress|--m64",
     FLAG, ignore, 0, NULL},
    /* the rest is for nvcc's own way of working */
    {"-forward-unknown-opts|--forward-unknown-opts|-forward-unknown-to-host-compiler|--forward-unknown-to-host-"
     "compiler|"
     "-forward-unknown-to-host-linker|--forward-unknown-to-host-linker|-save-temps|--save-temps|-objtemp|--objdir-as-"
     "tempdir|-use-local-env|--use-local-env|--no-align-double|-err-no|--display-error-number|-no-err-no|--no-display-"
     "error-number|-nodlink|--no-device-link|-nohdmoveforward|--no-host-device-move-forward|-nohdinitlist|--no-host-"
     "device-initializer-list|--profile|-noprof|--dont-use-profile",
     FLAG, ignore, 0, NULL},
    {"-arbin|--archiver-binary|-Xarchive|--archive-options|-target-dir|--target-directory|-ldir|--libdevice-directory|"
     "-time|--time|-brief-diag|--brief-diagnostics|-opt-info|--optimization-info|-dopt|--dopt|-jtd|--jump-table-"
     "density|"
     "-device-stack-protector|--device-stack-protector|-split-compile|-split-compile-extended|--split-compile-extended|"
     "-compress-mode|-hls|--host-linker-script",
     VALUE, ignore, 0, NULL},
    {"-expt-relaxed-constexpr|--expt-relaxed-constexpr", FLAG, on, MEMBER(relaxed_constexpr), NULL},
    {"-expt-|--expt-|-Xarchive", PREFIX, ignore, 0, NULL},

    /* the driver's */
    {"-optf|--options-file", VALUE, options_file, 0, NULL},
    {"--cccl", VALUE, set, MEMBER(cccl), NULL},
    {"--check", FLAG, on, MEMBER(check), NULL},
    {"--model", VALUE, model, MEMBER(model), NULL},
    {"--no-split", FLAG, on, MEMBER(no_split), NULL},
    {"--fibers", FLAG, on, MEMBER(fibers), NULL},
    {"--build", FLAG, on, MEMBER(build_only), NULL},
    {"--build-toolkit", FLAG, on, MEMBER(build_toolkit), NULL},
    {"-v|--verbose", FLAG, on, MEMBER(verbose), NULL},
    {"-dryrun|--dryrun", FLAG, on, MEMBER(dry_run), NULL},
    {"-h|--help", FLAG, print_help, 0, NULL},
    {"-V|--version", FLAG, on, MEMBER(version), NULL},
};
