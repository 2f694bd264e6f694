package io.manafold.image.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A volume that cloud-init takes for its source of data (NoCloud): ISO 9660 with the name {@code cidata}. It asks for
 * an address by DHCP on MANA's device and makes no user.
 */
final class SeedVolume {
    private static final int SECTOR = 2048;
    private static final int VOLUME = 16;
    private static final int TABLE = 18;
    private static final int TABLE_REVERSED = 19;
    private static final int ROOT = 20;
    private static final int FIRST_FILE = 21;
    private static final int FOLDER = 2;
    private static final String NAME = "cidata";

    private SeedVolume() {
    }

    static byte[] make() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("META-DATA.;1", "instance-id: manafold-boot\nlocal-hostname: manafold-boot\n");
        files.put("NETWORK-CONFIG.;1", "version: 2\nethernets:\n  mana:\n    match: {driver: mana}\n    dhcp4: true\n");
        files.put("USER-DATA.;1", "#cloud-config\nssh_pwauth: false\npackage_update: false\n");
        return volume(files);
    }

    /** @param files their contents by the names of ISO 9660, in order, each of them at most one sector */
    private static byte[] volume(Map<String, String> files) {
        ByteBuffer out = ByteBuffer.allocate((FIRST_FILE + files.size()) * SECTOR);
        out.position(ROOT * SECTOR);
        entry(out, "\0", ROOT, SECTOR, FOLDER);
        entry(out, "\1", ROOT, SECTOR, FOLDER);
        int sector = FIRST_FILE;
        for (Map.Entry<String, String> file : files.entrySet()) {
            byte[] bytes = file.getValue().getBytes(StandardCharsets.UTF_8);
            entry(out, file.getKey(), sector, bytes.length, 0);
            out.put(sector++ * SECTOR, bytes);
        }
        table(out, TABLE, ByteOrder.LITTLE_ENDIAN);
        table(out, TABLE_REVERSED, ByteOrder.BIG_ENDIAN);
        describe(out);
        return out.array();
    }

    private static void describe(ByteBuffer out) {
        int at = VOLUME * SECTOR;
        out.position(at);
        out.put((byte) 1).put("CD001".getBytes(StandardCharsets.US_ASCII)).put((byte) 1).put((byte) 0);
        text(out, "LINUX", 32);
        text(out, NAME, 32);
        out.position(at + 80);
        both(out, out.capacity() / SECTOR);
        out.position(at + 120);
        both16(out, 1);
        both16(out, 1);
        both16(out, SECTOR);
        both(out, 10);
        out.order(ByteOrder.LITTLE_ENDIAN).putInt(TABLE).putInt(0);
        out.order(ByteOrder.BIG_ENDIAN).putInt(TABLE_REVERSED).putInt(0);
        entry(out, "\0", ROOT, SECTOR, FOLDER);
        text(out, "", 623);
        for (int i = 0; i < 4; i++) {
            text(out, "0".repeat(16), 16);
            out.put((byte) 0);
        }
        out.put((byte) 1);
        out.position(at + SECTOR);
        out.put((byte) 255).put("CD001".getBytes(StandardCharsets.US_ASCII)).put((byte) 1);
    }

    private static void table(ByteBuffer out, int sector, ByteOrder order) {
        out.position(sector * SECTOR);
        out.put((byte) 1).put((byte) 0).order(order).putInt(ROOT).putShort((short) 1).put((byte) 0).put((byte) 0);
        out.order(ByteOrder.BIG_ENDIAN);
    }

    private static void entry(ByteBuffer out, String name, int sector, int bytes, int flags) {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        int length = 33 + text.length + (text.length & 1 ^ 1);
        int at = out.position();
        out.put((byte) length).put((byte) 0);
        both(out, sector);
        both(out, bytes);
        // the first of January 2026
        out.put(new byte[] {126, 1, 1, 0, 0, 0, 0}).put((byte) flags).put((byte) 0).put((byte) 0);
        both16(out, 1);
        out.put((byte) text.length).put(text);
        out.position(at + length);
    }

    private static void text(ByteBuffer out, String text, int length) {
        out.put((text + " ".repeat(length - text.length())).getBytes(StandardCharsets.US_ASCII));
    }

    private static void both(ByteBuffer out, int value) {
        out.order(ByteOrder.LITTLE_ENDIAN).putInt(value).order(ByteOrder.BIG_ENDIAN).putInt(value);
    }

    private static void both16(ByteBuffer out, int value) {
        out.order(ByteOrder.LITTLE_ENDIAN).putShort((short) value).order(ByteOrder.BIG_ENDIAN)
                .putShort((short) value);
    }
}
