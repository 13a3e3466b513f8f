// Programs name their sizes by one letter, with -D or #define: no header has an identifier of its own that is one. (Nor have
// nvcc's a capital; small letters are members of vectors and parameters there too.)
// TEST: every header compiles where each capital letter is a macro
// RUN: every_header >$work/headers.cu; [ $(wc -l <$work/headers.cu) -ge 80 ]
// RUN: $cucc $(printf ' -D%s=16' A B C D E F G H I J K L M N O P Q R S T U V W X Y Z) -c -o $exe.o $work/headers.cu
