package io.manafold.launcher.internal.lines;

import io.manafold.shell.TypedInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * What is typed while a command reads: by lines, shown as they are typed, since the terminal stays as it is at a
 * question and shows nothing itself. Backspace takes a character back, Ctrl-U the line, arrows up and down bring back
 * lines from before, Tab completes the words that the command offers, and Ctrl-D in an empty line ends the input for
 * that once.
 */
public final class TypedLines extends InputStream implements TypedInput {
    private static final int LONGEST = 4096;
    private static final int END = 4;
    private static final int BACKSPACE = 8;
    private static final int TAKE_LINE_BACK = 21;
    private static final int ESCAPE = 27;
    private static final int DELETE = 127;
    private static final int MOST_KEPT = 100;
    private static final int MOST_OFFERED = 200;
    private static final byte[] ERASE = "\b \b".getBytes(StandardCharsets.US_ASCII);

    private final InputStream keys;
    private final OutputStream shown;
    private final byte[] line = new byte[LONGEST + 1];
    /** Lines from before, the first ones first. */
    private final List<byte[]> kept = new ArrayList<>();
    /** What was being typed when a line from before was asked for. */
    private byte[] draft = new byte[0];
    private volatile Offer offer;
    private int length;
    private int taken;
    private boolean afterReturn;

    private record Offer(String prompt, Function<String, List<String>> words) {
    }

    public TypedLines(InputStream keys, OutputStream shown) {
        this.keys = keys;
        this.shown = shown;
    }

    @Override
    public void offer(String prompt, Function<String, List<String>> words) {
        offer = words == null ? null : new Offer(prompt, words);
    }

    @Override
    public int read() throws IOException {
        if (taken == length && !readLine()) {
            return -1;
        }
        return line[taken++] & 0xff;
    }

    /** What is left of a line, so that a reader gets it before the next one is typed. */
    @Override
    public int read(byte[] into, int offset, int most) throws IOException {
        if (most == 0) {
            return 0;
        }
        if (taken == length && !readLine()) {
            return -1;
        }
        int amount = Math.min(most, length - taken);
        System.arraycopy(line, taken, into, offset, amount);
        taken += amount;
        return amount;
    }

    @Override
    public int available() {
        return length - taken;
    }

    private boolean readLine() throws IOException {
        boolean whole = false;
        try {
            length = 0;
            taken = 0;
            whole = collect();
            return whole;
        } finally {
            if (!whole) {
                // what was half typed when the command was interrupted is not for the next one
                length = 0;
            }
        }
    }

    private boolean collect() throws IOException {
        int place = kept.size();
        while (true) {
            int key = keys.read();
            boolean second = key == '\n' && afterReturn;
            afterReturn = key == '\r';
            if (second) {
                continue;
            }
            switch (key) {
                case -1 -> {
                    return length > 0;
                }
                case '\r', '\n' -> {
                    show('\n');
                    keep();
                    line[length++] = '\n';
                    return true;
                }
                case END -> {
                    if (length == 0) {
                        return false;
                    }
                }
                case BACKSPACE, DELETE -> takeBack();
                case TAKE_LINE_BACK -> takeLineBack();
                case '\t' -> complete(offer);
                case ESCAPE -> place = recall(place, place + step());
                default -> type(key);
            }
        }
    }

    private void type(int key) throws IOException {
        if ((key >= ' ' || key == '\t') && length < LONGEST) {
            line[length++] = (byte) key;
            show(key);
        }
    }

    private void show(int key) throws IOException {
        shown.write(key);
        shown.flush();
    }

    /**
     * Adds what all offered words have in common; where that is nothing, shows them. Without an offer a tab is a key as
     * others.
     */
    private void complete(Offer offered) throws IOException {
        if (offered == null) {
            type('\t');
            return;
        }
        String typed = new String(line, 0, length, StandardCharsets.UTF_8);
        String begun = typed.substring(typed.lastIndexOf(' ') + 1);
        List<String> words = offered.words.apply(typed).stream().filter(word -> word.startsWith(begun))
                .limit(MOST_OFFERED).toList();
        if (words.isEmpty()) {
            return;
        }
        String common = words.getFirst();
        for (String word : words) {
            while (!word.startsWith(common)) {
                common = common.substring(0, common.length() - 1);
            }
        }
        String added = common.substring(begun.length()) + (words.size() == 1 ? " " : "");
        for (byte next : added.getBytes(StandardCharsets.UTF_8)) {
            type(next & 0xff);
        }
        if (added.isEmpty()) {
            shown.write(("\n" + String.join("  ", words) + "\n" + offered.prompt).getBytes(StandardCharsets.UTF_8));
            shown.write(line, 0, length);
            shown.flush();
        }
    }

    /** A character may have several bytes, of which all but the first look alike. */
    private void takeBack() throws IOException {
        if (length > 0) {
            while (length > 1 && (line[length - 1] & 0xc0) == 0x80) {
                length--;
            }
            length--;
            shown.write(ERASE);
            shown.flush();
        }
    }

    private void takeLineBack() throws IOException {
        while (length > 0) {
            takeBack();
        }
    }

    private void keep() {
        byte[] whole = Arrays.copyOf(line, length);
        if (length == 0 || !kept.isEmpty() && Arrays.equals(whole, kept.getLast())) {
            return;
        }
        if (kept.size() == MOST_KEPT) {
            kept.removeFirst();
        }
        kept.add(whole);
    }

    /** Shows the line of another place instead, where there is one; answers the place that is shown. */
    private int recall(int place, int wanted) throws IOException {
        if (wanted == place || wanted < 0 || wanted > kept.size()) {
            return place;
        }
        if (place == kept.size()) {
            draft = Arrays.copyOf(line, length);
        }
        byte[] other = wanted == kept.size() ? draft : kept.get(wanted);
        takeLineBack();
        System.arraycopy(other, 0, line, 0, other.length);
        length = other.length;
        shown.write(other);
        shown.flush();
        return wanted;
    }

    /**
     * Where a key leads that is told by several bytes: arrows up and down to the lines before and behind, others
     * nowhere.
     */
    private int step() throws IOException {
        int key = keys.read();
        if (key != '[' && key != 'O') {
            return 0;
        }
        int last = keys.read();
        boolean plain = last >= '@';
        while (last >= ' ' && last < '@') {
            last = keys.read();
        }
        return !plain ? 0 : last == 'A' ? -1 : last == 'B' ? 1 : 0;
    }
}
