package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** DPDK's own testpmd at work in a machine, which reads what is typed. */
final class Polling {
    static final Duration LONG = Duration.ofMinutes(4);
    /** Small pages are enough, and so is little memory. */
    private static final String ENVIRONMENT = "dpdk-testpmd -l 0-1 --no-huge -m 128 --iova-mode va ";
    private static final String PROGRAM = " -- --total-num-mbufs=4096 --txd=512 --rxd=512 ";

    private final Guest guest;

    private Polling(Guest guest) {
        this.guest = guest;
    }

    /** The program on the port of that address, and what it is told beside; it has two cores. */
    static String command(String mac, String... words) {
        return ENVIRONMENT + "--vdev=\"$(function),mac=" + mac + '"' + PROGRAM + String.join(" ", words);
    }

    /** The same, named as any device on the PCI bus is. */
    static String allowing(String mac, String... words) {
        return ENVIRONMENT + "-a \"$(function),mac=" + mac + '"' + PROGRAM + String.join(" ", words);
    }

    /** The same with all ports that the program finds by itself. */
    static String probing(String... words) {
        return ENVIRONMENT + PROGRAM + String.join(" ", words);
    }

    /** Takes ports from the network stack: one that is up says things of its own, which would be counted. */
    static void lend(Guest guest, String... devices) {
        guest.run("kill -9 $(pidof dpdk-testpmd) 2>/dev/null; "
                + Arrays.stream(devices).map(name -> "ip link set " + name + " down")
                .collect(Collectors.joining(" && "))).done();
    }

    static Polling begin(Guest guest, String command) {
        guest.run("rm -f /tmp/typed && mkfifo /tmp/typed && (sleep 1000 >/tmp/typed </dev/null 2>/dev/null & echo $! "
                + ">/tmp/typing) && (LD_PRELOAD=/kit/line-buffered.so " + command
                + " </tmp/typed >/tmp/polling.log 2>&1 &)").done();
        Polling polling = new Polling(guest);
        polling.await("testpmd> ");
        return polling;
    }

    void type(String... lines) {
        for (String line : lines) {
            guest.run("echo '" + line + "' >/tmp/typed").done();
        }
    }

    /** Until it has said this, as a word or pattern of grep. */
    void await(String pattern) {
        guest.run("until_true 600 grep -q '" + pattern + "' /tmp/polling.log || { cat /tmp/polling.log; false; }", LONG)
                .done();
    }

    /** Types a line, and gives back what it has said from there on, up to what is waited for. */
    String answer(String line, String last) {
        int before = said().length();
        type(line);
        guest.run("more() { tail -c +" + (before + 1) + " /tmp/polling.log | grep -q '" + last
                + "'; }; until_true 600 more || { cat /tmp/polling.log; false; }", LONG).done();
        return said().substring(before);
    }

    /** Asks for statistics until a line of them has come this far. */
    long until(String counter, long least) {
        guest.run("back() { echo 'show port stats 0' >/tmp/typed; sleep 0.3; "
                + "tail -n 12 /tmp/polling.log | awk -v l=" + least + " '/" + counter + ":/ { for (i = 1; i < NF; i++) "
                + "if ($i == \"" + counter + ":\" && $(i + 1) >= l) f = 1 } END { exit !f }'; }; until_true 200 back "
                + "|| { cat /tmp/polling.log; false; }", LONG).done();
        return counted(said(), counter);
    }

    String said() {
        return guest.run("cat /tmp/polling.log", LONG).done().output();
    }

    /** Has it end, and gives back all that it has said. */
    String end() {
        type("quit");
        return guest.run("until_true 300 ended dpdk-testpmd; kill $(cat /tmp/typing); cat /tmp/polling.log", LONG)
                .done().output();
    }

    /** Ends it as the kernel ends a process. */
    void kill() {
        guest.run("kill -9 $(pidof dpdk-testpmd) && until_true 300 ended dpdk-testpmd; kill $(cat /tmp/typing)", LONG)
                .done();
    }

    /** What the last block of statistics has counted. */
    static long counted(String output, String what) {
        List<Long> all = all(output, what);
        return all.isEmpty() ? -1 : all.getLast();
    }

    /** What has been counted under this name, block by block. */
    static List<Long> all(String output, String what) {
        Matcher matcher = Pattern.compile(what + ": +(\\d+)").matcher(output);
        return matcher.results().map(found -> Long.valueOf(found.group(1))).toList();
    }

    /** These are said one after the other. */
    static void inOrder(String output, String... words) {
        int at = 0;
        for (String word : words) {
            int found = output.indexOf(word, at);
            assertThat(found).as("'%s' after what comes before it, in:%n%s", word, output).isNotNegative();
            at = found + word.length();
        }
    }
}
