/* driver_build.c: what cucc builds anew of itself (cucc, driver/build.c, objects.c, dependencies.c): in a small house with a
 * few files of each part, and by what the real one notes; for the CPU device only. The commands run in the house's folder and
 * see: $root; compile, which has all parts made; made, which prints the objects that were compiled since `touch mark`;
 * driver, which has the driver made and prints its objects likewise. */
#include <stdlib.h>
#include <unistd.h>

#include "command.h"
#include "suite.h"

/* Has all parts made, and says which objects that took and whether the runtime and the libraries were made anew. */
#define MAKES(change) change "; touch mark; sleep 0.02; ./compile; ./made"
/* A file's time changes and nothing else. */
#define TOUCH(file) "sleep 0.02; touch " file

static const CommandCase in_order[] = {
    {0,
     "^cucc-compile/main libcudacpu.a/one-a libcudacpu.a/two-a libcudacpu_check.a/checks libcudacpu_check.a/model "
     "libcudacpu_check.a/one-a libcudacpu_check.a/page libcudacpu_check.a/two-a libcudacpu_libraries.a/nvrtc runtime "
     "libraries$",
     MAKES(":")},
    {0, "^$", MAKES(":")},
    /* two files of one name are two objects */
    {0, "^2$", "nm build/cpu/libcudacpu.a | grep -c -e ' T one_a' -e ' T two_a'"},
    /* a source, a header, a header of a header, a page: what includes it, and no more */
    {0, "^libcudacpu.a/one-a libcudacpu_check.a/one-a runtime$", MAKES(TOUCH("home/runtime/one/a.c"))},
    {0, "^libcudacpu.a/two-a libcudacpu_check.a/two-a libcudacpu_libraries.a/nvrtc runtime libraries$",
     MAKES(TOUCH("home/include/deep.h"))},
    {0, "^libcudacpu_check.a/page$", MAKES("echo '<p>' >>home/viewer/page.html")},
    {0, "^$", MAKES(TOUCH("home/include/unused.h"))},
    {0, "^$", MAKES(TOUCH("home/runtime/one/unused.h"))},
    /* from another folder */
    {0, "^$", "touch mark; sleep 0.02; (cd home/include && ../../compile); ./made"},
    {0, "^$", "touch mark; sleep 0.02; (cd / && \"$OLDPWD/compile\"); ./made"},
    /* a source that comes, and goes; a header that goes */
    {0, "^libcudacpu.a/two-b libcudacpu_check.a/two-b runtime$",
     MAKES("echo 'int two_b(void) { return 1; }' >home/runtime/two/b.c")},
    {0, "^1$", "nm build/cpu/libcudacpu.a | grep -c ' T two_b'"},
    {0, "^runtime$", MAKES("rm home/runtime/two/b.c")},
    {0, "^0$", "nm build/cpu/libcudacpu.a | grep -c ' T two_b'; true"},
    {0, "^libcudacpu.a/one-a libcudacpu_check.a/one-a runtime$",
     MAKES("sed -i /own.h/d home/runtime/one/a.c; rm home/runtime/one/own.h")},
    /* other flags */
    {0, "^libcudacpu.a/one-a libcudacpu.a/two-a runtime$",
     MAKES("sed -i 's/local-exec/initial-exec/' build/cpu/objects/libcudacpu.a/depends "
           "build/cpu/objects/libcudacpu.a/runtime/command")},
    /* further flags are for what is compiled anyway, and what they have compiled is up to date without them */
    {0, "^libcudacpu.a/one-a libcudacpu_check.a/one-a runtime 1$",
     "export CUCC_RUNTIME_FLAGS='-O0 -Done_a=other'; echo $(" MAKES(
         TOUCH("home/runtime/one/a.c")) ") $(nm build/cpu/libcudacpu.a | grep -c ' T other')"},
    {0, "^$", MAKES(":")},
    {0, "^libcudacpu.a/one-a libcudacpu_check.a/one-a runtime$", MAKES(TOUCH("home/runtime/one/a.c"))},
    /* what does not build leaves the part out of date, and what was compiled before it stays */
    {0, "^broken libcudacpu.a/one-a$",
     "sleep 0.02; touch mark; sleep 0.02; touch home/runtime/one/a.c; echo wrong >>home/runtime/two/a.c; "
     "./compile 2>/dev/null || echo broken $(./made)"},
    {0, "^libcudacpu.a/two-a libcudacpu_check.a/one-a libcudacpu_check.a/two-a runtime$",
     MAKES("sed -i /wrong/d home/runtime/two/a.c")},
    {0, "^$", MAKES(":")},
    {0, "^0$", "ls build/cpu | grep -c '^lib\\.'; true"},
    /* a list of dependencies that is lost or is none */
    {0, "^libcudacpu.a/one-a runtime$",
     MAKES("rm build/cpu/objects/libcudacpu.a/depends build/cpu/objects/libcudacpu.a/runtime/one-a.deps")},
    {0, "^libcudacpu.a/one-a runtime$",
     MAKES(
         "echo x >build/cpu/objects/libcudacpu.a/depends; echo x >build/cpu/objects/libcudacpu.a/runtime/one-a.deps")},
    /* NVRTC's object knows the place of cucc: no other one does */
    {0, "^libcudacpu_libraries.a/nvrtc libraries$",
     MAKES("mkdir moved && mv home build compile made driver mark moved && cd moved && home/built_for.sh "
           ">build/cpu/built_for")},
    /* the folder has a name like any other */
    {0, "^libcudacpu.a/two-a libcudacpu_check.a/two-a libcudacpu_libraries.a/nvrtc runtime libraries$",
     MAKES(
         "mv moved \"$odd\" && cd \"$odd\" && home/built_for.sh >build/cpu/built_for; " TOUCH("home/include/deep.h"))},
    {0, "^$", MAKES("cd \"$odd\"")},
    /* the real house notes what its libraries include */
    {0, "^3$",
     "cd \"$root\" && cpudevice/cucc -o $house/t.o -c $house/t.c -lcudnn && grep -cx -e 'home include/cudnn.h' -e "
     "'home include/library_types.h' -e 'home include/cuComplex.h' build/cpu/objects/libcudacpu_libraries.a/depends"},
};

/* Where a command of built_for.sh fails, what it says is no place, and what is built stays. The house has moved, or, where
 * these run alone, it has not. */
#define AT_HOME "{ [ ! -e \"$odd\" ] || cd \"$odd\"; } && "
static const CommandCase unknown_places[] = {
    {0, "^cut: 1 0 status 1$",
     AT_HOME "mkdir -p fails && printf '#!/bin/sh\\nexit 1\\n' >fails/uname && chmod +x fails/uname; echo cut: "
             "$(home/built_for.sh | grep -c .) $(PATH=\"$PWD/fails:$PATH\" home/built_for.sh | grep -c .) "
             "status $(PATH=\"$PWD/fails:$PATH\" home/built_for.sh >/dev/null; echo $?)"},
    {0, "^status 1$", AT_HOME "CUCC_CC=false home/built_for.sh; echo status $?"},
    {0, "^status 127$", AT_HOME "CUCC_CXX=none home/built_for.sh 2>/dev/null; echo status $?"},
    {0, "^refused$",
     AT_HOME "./compile && touch mark && sleep 0.02 && "
             "echo $(PATH=\"$PWD/fails:$PATH\" ./compile 2>/dev/null || echo refused) $(./compile && ./made)"},
};

/* Has the driver made, and says which of its objects that took, and whether the driver was linked anew. */
#define MAKES_DRIVER(change) AT_HOME change "; touch mark; sleep 0.02; ./driver"
#define LISTS "build/cpu/objects/cucc-driver/"
static const CommandCase of_driver[] = {
    {0, "", MAKES_DRIVER(":")},
    {0, "^$", MAKES_DRIVER(":")},
    {0, "^words driver$", MAKES_DRIVER(TOUCH("home/driver/words.c"))},
    {0, "^options driver$", MAKES_DRIVER(TOUCH("home/driver/options_table.h"))},
    {0, "^image driver$", MAKES_DRIVER(TOUCH("home/runtime/driver_api/module_image.h"))},
    {0, "^$", MAKES_DRIVER(TOUCH("home/include/deep.h"))},
    /* every file that it includes */
    {0, "^$",
     AT_HOME "headers=$(${CUCC_CC:-gcc} -MM home/driver/*.c | tr ' ' '\\n' | grep -e '[.]h$' -e '[.]inc$' | sort -u); "
             "[ -n \"$headers\" ] && for header in $headers; do touch mark; " TOUCH(
                 "$header") "; ./driver | grep -q driver || echo $header; done"},
    /* from another folder, and from one with a name like any other */
    {0, "^image driver$",
     AT_HOME TOUCH(
         "home/runtime/driver_api/module_image.h") "; touch mark; sleep 0.02; "
                                                   "(cd home/include && ../cucc --version >/dev/null); ./driver"},
    {0, "^$",
     MAKES_DRIVER("ln -s home \"link to $odd\"; " TOUCH(
         "home/driver/say.c") "; \"$PWD/link to $odd/cucc\" --version >/dev/null")},
    {0, "^say driver$", MAKES_DRIVER(TOUCH("home/runtime/device/forms.h"))},
    /* a header that comes, and goes */
    {0, "^words driver$",
     MAKES_DRIVER("touch home/driver/more.h; sed -i '1i #include \"more.h\"' home/driver/words.c")},
    {0, "^words driver$", MAKES_DRIVER(TOUCH("home/driver/more.h"))},
    {0, "^words driver$", MAKES_DRIVER("rm home/driver/more.h; sed -i /more.h/d home/driver/words.c")},
    {0, "^$", MAKES_DRIVER(":")},
    /* lists that are lost */
    {0, "^words driver$", MAKES_DRIVER("rm " LISTS "words.o.headers " LISTS "headers")},
};

static const char set_up_commands[] =
    "set -e; cd \"$house\"; mkdir -p bin home/compiler/front home/runtime/device home/runtime/driver_api "
    "home/runtime/one home/runtime/two "
    "home/checker home/model home/viewer "
    "home/libraries home/include\n"
    "cp -r \"$root/cpudevice/cucc\" \"$root/cpudevice/built_for.sh\" \"$root/cpudevice/driver\" home\n"
    "cp \"$root/cpudevice/compiler/front/system_header.h\" home/compiler/front\n"
    "cp \"$root/cpudevice/runtime/driver_api/module_image.h\" home/runtime/driver_api\n"
    "cp \"$root/cpudevice/runtime/device/forms.h\" home/runtime/device\n"
    "echo 'int main(void) { return 0; }' | tee t.c home/compiler/main.c >/dev/null\n"
    "touch home/include/unused.h home/include/cuda_runtime.h home/runtime/one/unused.h home/runtime/one/own.h\n"
    "echo 'int deep;' >home/include/deep.h; echo '#include \"deep.h\"' >home/include/outer.h\n"
    "printf '#include \"own.h\"\\nint one_a(void) { return 1; }\\n' >home/runtime/one/a.c\n"
    "printf '#include \"outer.h\"\\nint two_a(void) { return 1; }\\n' >home/runtime/two/a.c\n"
    "echo 'int checks(void) { return 1; }' >home/checker/checks.c\n"
    "echo 'int model(void) { return 1; }' >home/model/model.c; echo '<html>' >home/viewer/page.html\n"
    "printf 'const char *page(void);\\nconst char *page(void)\\n{\\n    return\\n#include \"page.html.h\"\\n        "
    ";\\n}\\n' "
    ">home/viewer/page.c\n"
    "printf '#include \"outer.h\"\\n#include \"cucc_path.h\"\\nconst char *place = CPUDEV_CUCC;\\n' "
    ">home/libraries/nvrtc.c\n"
    "cat >compile <<'END'\n"
    "export CUCC_RUNTIME_FLAGS=${CUCC_RUNTIME_FLAGS--O0}\n"
    "here=$(cd \"$(dirname \"$0\")\" && pwd); for more in '' --check; do\n"
    "\"$here/home/cucc\" $more -c $house/t.c -o $house/t.o -lcudnn || exit 1; done\n"
    "END\n"
    "cat >made <<'END'\n"
    "echo $(cd build/cpu/objects && find . -mindepth 3 -name '*.o' -newer ../../../mark | "
    "sed 's|^./||; s|/[a-z]*/|/|; s|[.]o$||' | sort) $([ build/cpu/libcudacpu.a -nt mark ] && echo runtime) "
    "$([ build/cpu/libcudacpu_libraries.a -nt mark ] && echo libraries)\n"
    "END\n"
    "cat >driver <<'END'\n"
    "CUCC_RUNTIME_FLAGS=-O0 home/cucc --version >/dev/null || exit 1\n"
    "echo $(find build/cpu/objects/cucc-driver -name '*.o' -newer mark | sed 's|.*/||; s|[.]o$||' | sort) "
    "$([ build/cpu/cucc-driver -nt mark ] && echo driver)\n"
    "END\n"
    "sed -i '1i #!/bin/sh' compile made driver; chmod +x compile made driver\n";

static char house[] = "/tmp/driver_buildXXXXXX";

static void set_up(void)
{
    char root[4096];
    CommandResult *r = calloc(1, sizeof *r);
    ck_assert_ptr_nonnull(getcwd(root, sizeof root));
    ck_assert_ptr_nonnull(mkdtemp(house));
    setenv("root", root, 1);
    setenv("house", house, 1);
    setenv("odd", "a b'\"$#;课程", 1);
    command_run(set_up_commands, r);
    ck_assert_msg(r->status == 0, "%s", r->err);
    ck_assert_int_eq(chdir(house), 0);
    free(r);
}

static void tear_down(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", house);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(of_house) { commands_hold(in_order, sizeof in_order / sizeof *in_order); }
END_TEST
START_TEST(of_the_driver) { commands_hold(of_driver, sizeof of_driver / sizeof *of_driver); }
END_TEST
START_TEST(of_unknown_places) { commands_hold(unknown_places, sizeof unknown_places / sizeof *unknown_places); }
END_TEST

int main(void)
{
    Suite *s = suite_create("driver_build");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_unchecked_fixture(t, set_up, tear_down);
    tcase_add_test(t, of_house);
    tcase_add_test(t, of_the_driver);
    tcase_add_test(t, of_unknown_places);
    suite_add_tcase(s, t);
    return run_suite(s);
}
