package io.manafold.gdma.message;

import io.manafold.gdma.Command;
import io.manafold.gdma.HashType;
import io.manafold.gdma.Limits;
import io.manafold.gdma.ReceiveCompletion;
import java.util.Arrays;

/**
 * Steers what a vPort receives.
 *
 * @param receive {@link #ON}, {@link #OFF} or {@link #LEAVE}
 * @param rss whether hashes choose the queue: {@link #ON}, {@link #OFF} or {@link #LEAVE}
 * @param updateDefault whether {@code defaultQueue} counts
 * @param updateKey whether {@code key} counts
 * @param updateTable whether {@code table} counts
 * @param defaultQueue the object that gets what is not hashed
 * @param key 40 bytes
 * @param frames packets that one completion may stand for: 1, {@link ReceiveCompletion#MAX_PACKETS}, or {@link
 *        ReceiveCompletion#MOST_PACKETS}, which drivers of before version 5 do not say
 * @param table the object of each bucket
 */
public record ConfigureVportRx(long vport, int receive, int rss, boolean updateDefault, boolean updateKey,
        boolean updateTable, long defaultQueue, byte[] key, int frames, long[] table)
        implements Request<ConfigureVportRx.Result> {
    public static final int OFF = 0;
    public static final int ON = 1;
    /** As it is. */
    public static final int LEAVE = -1;

    private static final int VERSION = 0x08;
    /** Since when a message says more than whether packets share completions. */
    private static final int VERSION_5 = 5;
    private static final int TABLE = 0x78;

    public ConfigureVportRx {
        if (key.length != Limits.HASH_KEY) {
            throw new IllegalArgumentException("a key has " + Limits.HASH_KEY + " bytes, not " + key.length);
        }
        if (frames != 1 && frames != ReceiveCompletion.MAX_PACKETS && frames != ReceiveCompletion.MOST_PACKETS) {
            throw new IllegalArgumentException("a completion stands for 1, 4 or 8 packets, not " + frames);
        }
    }

    /** Reads it; a table that is not updated is still as long as the message says. */
    public static ConfigureVportRx decode(Message message) {
        message.require(Command.CONFIGURE_VPORT_RX.requestSize(), Command.CONFIGURE_VPORT_RX);
        int entries = message.u16(0x30);
        return new ConfigureVportRx(message.i64(0x28), message.i32(0x34), message.i32(0x38), message.u8(0x3c) != 0,
                message.u8(0x3d) != 0, message.u8(0x3e) != 0, message.i64(0x40),
                message.bytes(0x48, Limits.HASH_KEY), frames(message),
                message.longs(entries == 0 ? TABLE : message.u16(0x32), entries));
    }

    private static int frames(Message message) {
        return message.u8(0x70) == 0 ? 1
                : message.u16(VERSION) < VERSION_5 || message.u8(0x76) == 0 ? ReceiveCompletion.MAX_PACKETS
                : ReceiveCompletion.MOST_PACKETS;
    }

    @Override
    public Command command() {
        return Command.CONFIGURE_VPORT_RX;
    }

    @Override
    public int size() {
        return TABLE + (table.length << 3);
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, vport).put16(0x30, table.length).put16(0x32, TABLE).put32(0x34, receive).put32(0x38, rss)
                .put8(0x3c, updateDefault ? 1 : 0).put8(0x3d, updateKey ? 1 : 0).put8(0x3e, updateTable ? 1 : 0)
                .put64(0x40, defaultQueue).put(0x48, key).put8(0x70, frames > 1 ? 1 : 0)
                .put16(0x74, HashType.USUAL).put8(0x76, frames == ReceiveCompletion.MOST_PACKETS ? 1 : 0)
                .put(TABLE, table);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ConfigureVportRx that && vport == that.vport && receive == that.receive
                && rss == that.rss && updateDefault == that.updateDefault && updateKey == that.updateKey
                && updateTable == that.updateTable && defaultQueue == that.defaultQueue && frames == that.frames
                && Arrays.equals(key, that.key) && Arrays.equals(table, that.table);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(vport) * 31 + Arrays.hashCode(table);
    }

    @Override
    public String toString() {
        return "ConfigureVportRx[vport=" + vport + ", receive=" + receive + ", rss=" + rss + ", updateDefault="
                + updateDefault + ", updateKey=" + updateKey + ", updateTable=" + updateTable + ", defaultQueue="
                + defaultQueue + ", frames=" + frames + ", table=" + table.length + " entries]";
    }

    /**
     * How coalescing is timed.
     *
     * @param coalescingNanos 0 if the device does not say
     */
    public record Result(int coalescingNanos) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i32(0x20));
        }

        @Override
        public void encode(Message message) {
            message.put32(0x20, coalescingNanos);
        }
    }
}
