package io.manafold.image.internal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Makes small ELF files of the two kinds that doctors read: a module with an object, a library with a match table. */
public final class ElfBytes {
    private static final int SECTION = 64;

    private ElfBytes() {
    }

    /** A relocatable file whose object {@code mana_ib_dev_ops} has the number behind its owner, and 1 behind that. */
    public static byte[] module(int number) {
        ByteBuffer data = ByteBuffer.allocate(96).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(32 + 8, number).putInt(32 + 12, 1);
        ByteBuffer symbols = ByteBuffer.allocate(48).order(ByteOrder.LITTLE_ENDIAN);
        symbols.putInt(24, 1).put(28, (byte) 1).putShort(30, (short) 1).putLong(32, 32).putLong(40, 64);
        return file(1, data.array(), symbols.array(), "\0mana_ib_dev_ops\0".getBytes(StandardCharsets.UTF_8));
    }

    /** A shared library whose read-only data has a match table with the number. */
    public static byte[] provider(int number) {
        ByteBuffer data = ByteBuffer.allocate(96).order(ByteOrder.LITTLE_ENDIAN);
        data.putLong(32 + 8, number).put(32 + 20, (byte) 3);
        return file(3, data.array(), new byte[24], new byte[1]);
    }

    /** Sections: none, .rodata, .symtab, .strtab, .shstrtab. */
    private static byte[] file(int type, byte[] data, byte[] symbols, byte[] names) {
        byte[] sectionNames = "\0.rodata\0.symtab\0.strtab\0.shstrtab\0".getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        ByteBuffer sections = ByteBuffer.allocate(5 * SECTION).order(ByteOrder.LITTLE_ENDIAN);
        section(sections, 1, 1, 1, 2, add(body, data), data.length, 0);
        section(sections, 2, 9, 2, 0, add(body, symbols), symbols.length, 3);
        section(sections, 3, 17, 3, 0, add(body, names), names.length, 0);
        section(sections, 4, 25, 3, 0, add(body, sectionNames), sectionNames.length, 0);
        int table = add(body, sections.array());
        ByteBuffer header = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        header.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1}).putShort(16, (short) type).putShort(18, (short) 62)
                .putInt(20, 1)
                .putLong(40, table).putShort(52, (short) 64).putShort(58, (short) SECTION).putShort(60, (short) 5)
                .putShort(62, (short) 4);
        byte[] all = new byte[64 + body.size()];
        System.arraycopy(header.array(), 0, all, 0, 64);
        System.arraycopy(body.toByteArray(), 0, all, 64, body.size());
        return all;
    }

    private static int add(ByteArrayOutputStream body, byte[] bytes) {
        int at = 64 + body.size();
        body.writeBytes(bytes);
        body.writeBytes(new byte[-body.size() & 7]);
        return at;
    }

    private static void section(ByteBuffer table, int index, int name, int type, int flags, int at, int size,
            int link) {
        int base = index * SECTION;
        table.putInt(base, name).putInt(base + 4, type).putLong(base + 8, flags).putLong(base + 24, at)
                .putLong(base + 32, size)
                .putInt(base + 40, link);
    }
}
