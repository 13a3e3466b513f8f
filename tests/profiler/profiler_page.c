/* profiler_page.c: cuprof's page in a real browser. Chromium without a window is driven over its DevTools pipe: real
 * mouse events at the elements' places, then the page is read back. Skipped, with a line, where there is no Chromium.
 */
#include <check.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "profiler/profiler_core.h"
#include "suite.h"

/* ---- the browser: messages are JSON ended by a zero byte, on descriptors 3 and 4 of its own ---- */

static pid_t browser;
static int to_browser, from_browser, last_id;
static char session[64];
static char *inbox;
static size_t inbox_used, inbox_room;

static const char *find_chromium(void)
{
    static char path[512];
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"};
    const char *dirs = getenv("PATH");
    for (size_t i = 0; dirs && i < sizeof names / sizeof *names; i++)
        for (const char *d = dirs; *d;) {
            size_t n = strcspn(d, ":");
            snprintf(path, sizeof path, "%.*s/%s", (int)n, d, names[i]);
            if (!access(path, X_OK))
                return path;
            d += n + (d[n] == ':');
        }
    return NULL;
}

static char profile_dir[] = "/tmp/profiler_pageXXXXXX", page_path[128];

static void browser_stop(void)
{
    char command[200];
    close(to_browser); /* without its pipe it ends; Check ends what is left of the test's process group */
    for (int i = 0; i < 100 && browser > 0 && waitpid(browser, NULL, WNOHANG) != browser; i++)
        nanosleep(&(struct timespec){0, 50000000}, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", profile_dir);
    if (system(command))
        fprintf(stderr, "%s is left\n", profile_dir);
}

static void browser_start(const char *program)
{
    int in[2], out[2];
    char data[200];
    ck_assert_ptr_nonnull(mkdtemp(profile_dir));
    ck_assert(!pipe(in) && !pipe(out));
    snprintf(data, sizeof data, "--user-data-dir=%s/profile", profile_dir);
    browser = fork();
    if (!browser) {
        int a = fcntl(in[0], F_DUPFD, 10), b = fcntl(out[1], F_DUPFD, 10), null = open("/dev/null", O_RDWR);
        dup2(a, 3);
        dup2(b, 4);
        dup2(null, 1);
        dup2(null, 2);
        for (int fd = 5; fd < 64; fd++)
            close(fd);
        execl(program, program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
              "--no-first-run", "--remote-debugging-pipe", "--window-size=1400,1400", "--hide-scrollbars", data,
              (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_browser = in[1];
    from_browser = out[0];
    atexit(browser_stop);
}

/* The next message, or NULL after 60 s. */
static char *receive(void)
{
    for (;;) {
        char *end = inbox_used ? memchr(inbox, 0, inbox_used) : NULL;
        if (end) {
            size_t n = (size_t)(end - inbox) + 1;
            char *message = malloc(n);
            memcpy(message, inbox, n);
            memmove(inbox, inbox + n, inbox_used -= n);
            return message;
        }
        if (inbox_room - inbox_used < 65536)
            inbox = realloc(inbox, inbox_room += 1 << 20);
        struct pollfd p = {from_browser, POLLIN, 0};
        if (poll(&p, 1, 60000) != 1)
            return NULL;
        ssize_t n = read(from_browser, inbox + inbox_used, inbox_room - inbox_used);
        if (n <= 0)
            return NULL;
        inbox_used += (size_t)n;
    }
}

/* Sends a command and waits for its answer; the caller frees it. */
static char *ask(const char *method, const char *params)
{
    static char message[1 << 16];
    char id[32];
    int n = snprintf(message, sizeof message, "{\"id\":%d,\"method\":\"%s\"%s%s%s,\"params\":%s}", ++last_id, method,
                     session[0] ? ",\"sessionId\":\"" : "", session, session[0] ? "\"" : "", params);
    ck_assert_int_lt(n, (int)sizeof message);
    ck_assert_int_eq((int)write(to_browser, message, (size_t)n + 1), n + 1);
    snprintf(id, sizeof id, "{\"id\":%d,", last_id);
    for (;;) {
        char *answer = receive();
        ck_assert_msg(answer != NULL, "the browser does not answer %s", method);
        if (!strncmp(answer, id, strlen(id)))
            return answer;
        free(answer);
    }
}

/* The text of a string member; static buffer. */
static const char *member(const char *json, const char *name)
{
    static char value[8192];
    char key[64];
    snprintf(key, sizeof key, "\"%s\":\"", name);
    const char *p = strstr(json, key);
    size_t n = 0;
    value[0] = 0;
    if (!p)
        return value;
    for (p += strlen(key); *p && *p != '"' && n < sizeof value - 1; p++) {
        if (*p == '\\' && p[1])
            p++;
        if (*p == 'u' && p[-1] == '\\') { /* one of ours: a middle dot, a dash */
            unsigned code = (unsigned)strtoul((char[]){p[1], p[2], p[3], p[4], 0}, NULL, 16);
            if (code >= 0x800)
                value[n++] = (char)(0xe0 | code >> 12), value[n++] = (char)(0x80 | (code >> 6 & 63));
            else if (code >= 0x80)
                value[n++] = (char)(0xc0 | code >> 6);
            value[n++] = (char)(code >= 0x80 ? 0x80 | (code & 63) : code);
            p += 4;
            continue;
        }
        value[n++] = *p;
    }
    value[n] = 0;
    return value;
}

/* What a JavaScript expression is, as text. No double quotes or backslashes in it. */
static const char *read_page(const char *expression)
{
    char params[4096];
    snprintf(params, sizeof params, "{\"expression\":\"String(%s)\",\"returnByValue\":true}", expression);
    char *answer = ask("Runtime.evaluate", params);
    ck_assert_msg(!strstr(answer, "exceptionDetails"), "%s: %s", expression, answer);
    const char *value = member(answer, "value");
    free(answer);
    return value;
}

static void mouse(const char *type, double x, double y, const char *more)
{
    char params[300];
    snprintf(params, sizeof params, "{\"type\":\"%s\",\"x\":%.1f,\"y\":%.1f%s}", type, x, y, more);
    free(ask("Input.dispatchMouseEvent", params));
}

static void click_at(double x, double y)
{
    mouse("mouseMoved", x, y, "");
    mouse("mousePressed", x, y, ",\"button\":\"left\",\"clickCount\":1");
    mouse("mouseReleased", x, y, ",\"button\":\"left\",\"clickCount\":1");
}

/* Clicks the middle of the element an expression names. */
static void click(const char *element)
{
    char expression[600];
    double x, y;
    snprintf(expression, sizeof expression,
             "(e => {e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); "
             "return (r.x + r.width / 2) + ' ' + (r.y + r.height / 2)})(%s)",
             element);
    ck_assert_int_eq(sscanf(read_page(expression), "%lf %lf", &x, &y), 2);
    click_at(x, y);
}

static void equals(const char *expression, const char *expected)
{
    const char *got = read_page(expression);
    ck_assert_msg(!strcmp(got, expected), "%s is '%s', not '%s'", expression, got, expected);
}

/* ---- the run shown: three launches, two kernels' names, a copy, and the kernel with which a lab's harness empties the
 * cache; the true figures are known ---- */

static void put(int kind, uint64_t from, uint64_t to, const char *name, uint32_t correlation, uint32_t stream)
{
    prof_put(&(prof_event){.kind = (uint8_t)kind,
                           .start_ns = prof_store_header()->base_ns + from,
                           .end_ns = prof_store_header()->base_ns + to,
                           .name = prof_name(name),
                           .correlation = correlation,
                           .stream = stream,
                           .thread = kind == PROF_API || kind >= PROF_BEGIN ? 42 : 0,
                           .block = {256, 1, 1},
                           .grid_x = 4,
                           .grid_y = 1,
                           .grid_z = 1,
                           .copy_kind = PROF_DTOH});
}

static void make_page(void)
{
    char log[128], command[600], script[128];
    /* cuprof reads what the profiled program leaves in $CUPROF_LOGS: here the program is cp. */
    snprintf(log, sizeof log, "%s/run.log", profile_dir);
    snprintf(page_path, sizeof page_path, "%s/page.html", profile_dir);
    snprintf(script, sizeof script, "%s/leave", profile_dir);
    ck_assert_int_eq(prof_store_open(log, 0), 0);
    snprintf(prof_store_header()->backend, 64, "CPU device");
    snprintf(prof_store_header()->device, 64, "a <b>\"device\"</b> & more");
    put(PROF_BEGIN, 0, 0, "epoch", 0, 0);
    put(PROF_API, 10000, 20000, "cudaLaunchKernel", 1, 0);
    put(PROF_API, 30000, 40000, "cudaLaunchKernel", 2, 0);
    put(PROF_API, 50000, 60000, "cudaLaunchKernel", 3, 0);
    put(PROF_API, 70000, 90000, "cudaMemcpy", 4, 0);
    put(PROF_END, 100000, 100000, "", 0, 0);
    put(PROF_KERNEL, 22000, 32000, "short_kernel(float*)", 1, 7);
    put(PROF_KERNEL, 42000, 52000, "short_kernel(float*)", 2, 7);
    put(PROF_KERNEL, 60000, 70000, "</script><img src=x onerror=document.title='broken'>", 3, 7);
    put(PROF_MEMCPY, 71000, 89000, "Memcpy DtoH", 4, 7);
    put(PROF_KERNEL, 91000, 95000, "flush_kernel(float4 const*, unsigned long, float*)", 0, 7);
    prof_source_free(prof_store_close());
    FILE *f = fopen(script, "w");
    fprintf(f, "#!/bin/sh\ncp '%s' \"$CUPROF_LOGS/1.0.log\"\n", log);
    fclose(f);
    snprintf(command, sizeof command, "COURSE_LANG=en tools/cuprof --html '%s' -o /dev/null sh '%s'", page_path,
             script);
    ck_assert_int_eq(system(command), 0);
    snprintf(command, sizeof command, "COURSE_LANG=zh tools/cuprof --html '%s.zh.html' -o /dev/null sh '%s'", page_path,
             script);
    ck_assert_int_eq(system(command), 0);
}

static void wait_for_rows(const char *language)
{
    char expected[64];
    snprintf(expected, sizeof expected, "complete%strue", language);
    for (int i = 0; i < 200; i++) {
        if (!strcmp(read_page("document.readyState + document.documentElement?.lang + "
                              "(document.querySelectorAll('tbody tr').length > 0)"),
                    expected))
            break;
        nanosleep(&(struct timespec){0, 50000000}, NULL);
    }
}

/* The same run with COURSE_LANG=zh: its sentences, and no word in English but names. */
static void in_chinese(void)
{
    char params[300];
    snprintf(params, sizeof params, "{\"url\":\"file://%s.zh.html\"}", page_path);
    free(ask("Page.navigate", params));
    wait_for_rows("zh-CN");
    equals("document.querySelector('#gaps li').textContent",
           "查看10.000 us在 short_kernel 与 short_kernel 之间；主机有 80 % 的时间在 cudaLaunchKernel 里");
    ck_assert_ptr_nonnull(strstr(read_page("document.getElementById('idle').textContent"),
                                 "忙 52.000 us（71.2 %），空闲 21.000 us，有 4 个空隙，中位数 8.000 us。"));
    ck_assert_ptr_nonnull(strstr(read_page("document.getElementById('window').textContent"), "CPU 设备 0 忙"));
    equals("describe(run.spans.find(s => s[KIND] === 'k')).split(' · ').slice(1, 4).join()",
           "核函数,10.000 us，开始于 22.000 us,网格 4,1,1，线程块 256,1,1，0 个寄存器，共享内存 0 字节");
    equals("lanes.map(lane => lane.label).join()", "线程 42,CPU 设备 0，流 7");
    equals("[...document.querySelectorAll('h2, option, .tools button:not([role=tab]), .note:not(#totals)')]"
           ".filter(e => /[a-z]{3}/.test(e.textContent)).map(e => e.textContent).join()",
           "");
    equals("document.documentElement.scrollWidth <= window.innerWidth", "true");
}

START_TEST(in_a_browser)
{
    const char *chromium = find_chromium();
    if (!chromium) {
        test_skip("the page in a browser: no chromium here");
        fflush(stdout);
        return;
    }
    char params[300];
    browser_start(chromium);
    make_page();
    snprintf(params, sizeof params, "{\"url\":\"file://%s\"}", page_path);
    char *answer = ask("Target.createTarget", params), target[128];
    snprintf(target, sizeof target, "%s", member(answer, "targetId"));
    free(answer);
    snprintf(params, sizeof params, "{\"targetId\":\"%s\",\"flatten\":true}", target);
    answer = ask("Target.attachToTarget", params);
    snprintf(session, sizeof session, "%s", member(answer, "sessionId"));
    free(answer);
    wait_for_rows("en");

    /* nothing from outside, nothing executed from names */
    equals("performance.getEntriesByType('resource').length", "0");
    ck_assert_ptr_nonnull(strstr(read_page("document.title"), "cuprof: "));
    equals("document.querySelectorAll('img').length", "0");
    ck_assert_ptr_nonnull(strstr(read_page("document.getElementById('about').textContent"), "a <b>"));

    /* the table, sorted by CUDA total at first */
    const char *first_name = "document.querySelector('tbody tr td').textContent";
    equals("document.querySelectorAll('tbody tr').length", "7");
    equals(first_name, "epoch");
    equals("document.querySelector('th[aria-sort]').dataset.key + document.querySelector('th[aria-sort]').ariaSort",
           "cudadescending");
    ck_assert_ptr_nonnull(
        strstr(read_page("document.getElementById('totals').textContent"), "self CPU time total 100.000 us"));
    ck_assert_ptr_nonnull(
        strstr(read_page("document.getElementById('totals').textContent"), "self CUDA time total 48.000 us"));
    /* what the harness does is apart: last, whatever the order, and in no sum */
    ck_assert_ptr_nonnull(strstr(read_page("document.getElementById('totals').textContent"), "apart from it 4.000 us"));
    const char *last_name = "document.querySelector('tbody tr:last-child td').textContent.slice(0, 12)";
    equals(last_name, "flush_kernel");
    equals("document.querySelectorAll('tbody tr.harness').length", "1");
    equals("getComputedStyle(document.querySelector('tbody td')).whiteSpace", "nowrap");
    click("document.querySelector('th[data-key=count]')");
    equals(last_name, "flush_kernel");
    equals(first_name, "cudaLaunchKernel");
    equals("document.querySelector('tbody tr').children[9].textContent", "3");
    click("document.querySelector('th[data-key=name]')");
    equals(first_name, "</script><img src=x onerror=document.title='broken'>");
    click("document.querySelector('th[data-key=name]')"); /* once more: the other way round */
    equals(first_name, "short_kernel(float*)");
    click("document.querySelector('th[data-key=selfCpu]')");
    equals(first_name, "epoch");
    equals("document.querySelector('tbody tr').children[1].textContent", "50.000 us");

    /* the filter, typed */
    click("document.getElementById('filter')");
    free(ask("Input.insertText", "{\"text\":\"KERNEL\"}"));
    equals(
        "[...document.querySelectorAll('tbody tr td:first-child')].map(e => e.textContent.replace(/[(].*/, '')).join()",
        "cudaLaunchKernel,short_kernel,flush_kernel");
    equals("document.querySelectorAll('td button').length", "1");
    click("document.querySelector('td button')");
    ck_assert_ptr_nonnull(strstr(read_page("document.getElementById('counters').textContent"),
                                 "bank conflicts of short_kernel: CUDA_CPU_TOOLS=counters sh "));

    /* the gaps: 32 to 42, 52 to 60, 70 to 71 and 89 to 91 us */
    ck_assert_ptr_nonnull(
        strstr(read_page("document.getElementById('idle').textContent"),
               "73.000 us from the first work to the last, busy 52.000 us (71.2 %), idle 21.000 us in 4 gaps, "
               "median 8.000 us"));
    equals("document.querySelectorAll('#gaps li').length", "4");
    equals("document.querySelector('#gaps li').textContent",
           "show10.000 usbetween short_kernel and short_kernel; the host: cudaLaunchKernel for 80 % of it");
    click("document.querySelector('#gaps button')");
    equals("from + ' ' + to", "29500 44500");
    ck_assert_ptr_nonnull(strstr(read_page("document.getElementById('window').textContent"), "busy 33.3 %"));
    click("document.getElementById('all')");

    /* the ruler: whole figures, and never the same label twice, however near one looks */
    equals("ruler(0, 100000, 20000).map(t => t[1]).join()", "0 us,20 us,40 us,60 us,80 us,100 us");
    equals("ruler(2500000000, 2500000020, 10).map(t => t[1]).join()", "2.50000000 s,+10 ns,+20 ns");
    equals("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].every(k => [0, 12345, 2.5e9, 6e10].every(a => [1, 2, 5].every(m => {"
           "const step = m * 10 ** k / 10, l = ruler(a, a + 9 * step, step).map(t => t[1]); "
           "return l.length >= 9 && new Set(l).size == l.length})))",
           "true");

    /* the summaries */
    ck_assert_ptr_nonnull(strstr(read_page("document.getElementById('summary').textContent"), "cudaLaunchKernel"));
    click("[...document.querySelectorAll('[role=tab]')].find(e => e.textContent == 'cuda_gpu_kern_sum')");
    ck_assert_ptr_nonnull(strstr(read_page("document.getElementById('summary').textContent"), "short_kernel"));
    ck_assert_ptr_null(strstr(read_page("document.getElementById('summary').textContent"), "cudaLaunchKernel"));
    equals("document.querySelectorAll('[role=tab][aria-selected=true]').length", "1");

    /* the timeline: hover, click, zoom, pan; the time axis maps 0 .. 100 us to the canvas's width */
    double x, y, w, from, to, from2, to2;
    read_page("document.getElementById('canvas').scrollIntoView()");
    ck_assert_int_eq(
        sscanf(read_page(
                   "(r => r.x + ' ' + r.y + ' ' + r.width)(document.getElementById('canvas').getBoundingClientRect())"),
               "%lf %lf %lf", &x, &y, &w),
        3);
    equals("from + ' ' + to", "0 100000");
    equals("layout.length", "3"); /* the range, the calls in it, the stream */
    double row[3];
    ck_assert_int_eq(
        sscanf(read_page("layout.map(l => l.y + l.h / 2).join(' ')"), "%lf %lf %lf", &row[0], &row[1], &row[2]), 3);
    equals("getComputedStyle(document.getElementById('tip')).display", "none");
    mouse("mouseMoved", x + w * .15, y + row[1], "");
    equals("getComputedStyle(document.getElementById('tip')).display", "block");
    ck_assert_ptr_nonnull(
        strstr(read_page("document.getElementById('tip').textContent"), "cudaLaunchKernel · API call · 10.000 us"));
    click_at(x + w * .27, y + row[2]);
    ck_assert_ptr_nonnull(strstr(read_page("document.getElementById('picked').textContent"),
                                 "short_kernel(float*) · kernel · 10.000 us"));
    ck_assert_ptr_nonnull(strstr(read_page("document.getElementById('picked').textContent"), "block 256,1,1"));
    equals("byCorrelation.get(picked[CORRELATION]).length", "2"); /* and its launch */
    ck_assert_ptr_nonnull(strstr(
        read_page("(() => {const c = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data; "
                  "return c.some(v => v != c[0]) ? 'drawn' : 'blank'})()"),
        "drawn"));
    mouse("mouseWheel", x + w * .5, y + row[2], ",\"deltaX\":0,\"deltaY\":-400");
    for (int i = 0; i < 100 && !strcmp(read_page("to - from"), "100000"); i++)
        nanosleep(&(struct timespec){0, 20000000}, NULL);
    ck_assert_int_eq(sscanf(read_page("from + ' ' + to"), "%lf %lf", &from, &to), 2);
    ck_assert_double_lt(to - from, 60000);
    ck_assert_double_eq_tol((from + to) / 2, 50000, 500); /* about the mouse */
    mouse("mouseMoved", x + w * .5, y + row[2], "");
    mouse("mousePressed", x + w * .5, y + row[2], ",\"button\":\"left\",\"clickCount\":1");
    mouse("mouseMoved", x + w * .4, y + row[2], ",\"button\":\"left\",\"buttons\":1");
    mouse("mouseReleased", x + w * .4, y + row[2], ",\"button\":\"left\",\"clickCount\":1");
    ck_assert_int_eq(sscanf(read_page("from + ' ' + to"), "%lf %lf", &from2, &to2), 2);
    ck_assert_double_eq_tol(to2 - from2, to - from, 1);
    ck_assert_double_eq_tol(from2 - from, .1 * (to - from), 100);
    click("document.getElementById('all')");
    equals("from + ' ' + to", "0 100000");
    click("document.getElementById('in')");
    equals("to - from", "50000");
    click("document.getElementById('right')");
    equals("from", "37500");
    click("document.getElementById('out')");
    equals("to - from", "100000");

    /* light and dark; text large enough for a projector, with contrast of at least 7 in both */
    const char *contrast =
        "(() => {const l = c => {const v = c.match(/[0-9.]+/g).slice(0, 3).map(x => x / 255).map(x => x <= .04045 ? x "
        "/ 12.92 : "
        "((x + .055) / 1.055) ** 2.4); return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]}; const s = "
        "getComputedStyle(document.body), "
        "a = l(s.color), b = l(s.backgroundColor); return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) >= 7})()";
    equals(contrast, "true");
    char theme[32];
    snprintf(theme, sizeof theme, "%s", read_page("document.documentElement.dataset.theme"));
    click("document.getElementById('theme')");
    equals("document.documentElement.dataset.theme", strcmp(theme, "dark") ? "dark" : "light");
    equals(contrast, "true");
    equals("parseFloat(getComputedStyle(document.body).fontSize) >= 16", "true");
    click("document.getElementById('size')");
    equals("parseFloat(getComputedStyle(document.body).fontSize) >= 20", "true");
    equals("document.documentElement.scrollWidth <= window.innerWidth", "true");
    in_chinese();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cuprof's page");
    TCase *t = tcase_create("page");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_test(t, in_a_browser);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
