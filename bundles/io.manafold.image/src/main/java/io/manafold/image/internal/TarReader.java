package io.manafold.image.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Reads tar: ustar, with the long names of GNU and of pax. */
final class TarReader {
    static final int BLOCK = 512;
    /** Bytes of a header that says more about the next entry. */
    private static final int MOST_EXTRA = 1 << 16;
    private static final String SPARSE = "GNU.sparse.";

    private final BoundedInput in;
    private final EntryVisitor entries;
    private final Map<String, String> next = new HashMap<>();

    TarReader(BoundedInput in, EntryVisitor entries) {
        this.in = in;
        this.entries = entries;
    }

    static boolean is(byte[] block) {
        return block.length == BLOCK && block[257] == 'u' && block[258] == 's' && block[259] == 't' && block[260] == 'a'
                && block[261] == 'r' && checked(block);
    }

    private static boolean checked(byte[] block) {
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += i >= 148 && i < 156 ? ' ' : block[i] & 0xff;
        }
        try {
            return octal(block, 148, 8) == sum;
        } catch (IOException e) {
            return false;
        }
    }

    /** @param first the first block, which has been read to see what it is */
    void read(byte[] first) throws IOException {
        byte[] block = first;
        do {
            if (block[0] == 0) {
                // two of them are the end, and what follows is no part of it
                return;
            }
            if (!checked(block)) {
                throw new IOException("the header at byte " + (in.position() - BLOCK) + " has a wrong checksum");
            }
            entry(block);
        } while (in.fill(block));
    }

    private void entry(byte[] block) throws IOException {
        char type = (char) block[156];
        long size = size(block);
        switch (type) {
            case 'x' -> pax(extra(size));
            case 'L' -> next.put("path", text(extra(size), 0, (int) size));
            case 'K' -> next.put("linkpath", text(extra(size), 0, (int) size));
            case 'g' -> in.skip(padded(size));
            default -> {
                plain(type, block, size);
                next.clear();
            }
        }
    }

    private void plain(char type, byte[] block, long size) throws IOException {
        String name = next.getOrDefault("path", name(block));
        String target = next.getOrDefault("linkpath", text(block, 157, 100));
        boolean sparse = next.containsKey(SPARSE);
        switch (type) {
            case '0', '7', 0 -> {
                if (sparse) {
                    in.skip(padded(size));
                    entries.other(name);
                } else {
                    entries.file(name, size);
                    in.skip(padded(size) - size);
                }
            }
            case '5' -> {
                in.skip(padded(size));
                entries.folder(name);
            }
            case '2' -> entries.link(name, target);
            case '1' -> entries.link(name, "/" + target);
            case 'S' -> {
                // the first block says whether more of them with the places of holes follow
                for (boolean more = block[482] != 0; more;) {
                    more = in.bytes(BLOCK)[504] != 0;
                }
                in.skip(padded(size));
                entries.other(name);
            }
            default -> {
                in.skip(type == '3' || type == '4' || type == '6' ? 0 : padded(size));
                entries.other(name);
            }
        }
    }

    private byte[] extra(long size) throws IOException {
        if (size > MOST_EXTRA) {
            throw new IOException("the header at byte " + (in.position() - BLOCK) + " announces a name of " + size
                    + " bytes");
        }
        byte[] bytes = in.bytes((int) size);
        in.skip(padded(size) - size);
        return bytes;
    }

    /** Lines of a length, a key and a value. */
    private void pax(byte[] records) throws IOException {
        int at = 0;
        while (at < records.length) {
            int space = at;
            int length = 0;
            while (space < records.length && records[space] >= '0' && records[space] <= '9' && length < MOST_EXTRA) {
                length = length * 10 + records[space++] - '0';
            }
            if (space == records.length || records[space] != ' ' || length <= space - at + 1
                    || length > records.length - at) {
                throw new IOException("the pax header before byte " + in.position() + " is broken");
            }
            String record = new String(records, space + 1, at + length - space - 2, StandardCharsets.UTF_8);
            int equals = record.indexOf('=');
            if (equals > 0) {
                more(record.substring(0, equals), record.substring(equals + 1));
            }
            at += length;
        }
    }

    /** Keeps what is used: before one entry there may be any number of headers with any keys. */
    private void more(String key, String value) {
        switch (key) {
            case "path", "linkpath", "size" -> next.put(key, value);
            default -> {
                if (key.startsWith(SPARSE)) {
                    next.put(SPARSE, "");
                }
            }
        }
    }

    private long size(byte[] block) throws IOException {
        String said = next.get("size");
        long size;
        if (said != null) {
            try {
                size = Long.parseLong(said);
            } catch (NumberFormatException e) {
                size = -1;
            }
        } else {
            size = (block[124] & 0x80) == 0 ? octal(block, 124, 12) : binary(block);
        }
        if (size < 0 || size > Long.MAX_VALUE / 2) {
            throw new IOException("the header at byte " + (in.position() - BLOCK) + " has a size that is none");
        }
        return size;
    }

    /** The way in which GNU writes sizes that have no room as octal digits. */
    private static long binary(byte[] block) {
        long size = 0;
        for (int i = 128; i < 136; i++) {
            size = size << 8 | block[i] & 0xff;
        }
        return size;
    }

    private static long octal(byte[] block, int at, int length) throws IOException {
        long number = 0;
        boolean digits = false;
        for (int i = at; i < at + length; i++) {
            if (block[i] >= '0' && block[i] <= '7') {
                number = number * 8 + block[i] - '0';
                digits = true;
            } else if (block[i] != ' ' && block[i] != 0) {
                throw new IOException("a number in a header has a digit that is none");
            } else if (digits) {
                break;
            }
        }
        return number;
    }

    private static String name(byte[] block) {
        String name = text(block, 0, 100);
        String prefix = block[263] == '0' || block[263] == 0 ? text(block, 345, 155) : "";
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    private static String text(byte[] bytes, int at, int length) {
        int end = at;
        while (end < at + length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, at, end - at, StandardCharsets.UTF_8);
    }

    private static long padded(long size) {
        return (size + BLOCK - 1) / BLOCK * BLOCK;
    }
}
