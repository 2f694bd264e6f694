package io.manafold.api.net;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A packet in memory that a function can reach. It has one owner at any time: the user who took it from a device or was
 * handed it, until it is sent or {@link #release released}. Only the owner may touch it. Its memory outlives the driver
 * that it came from.
 *
 * <p>The packet lies somewhere in the buffer; the room before it is the headroom, where an owner may put headers in
 * front.
 */
public final class PacketBuffer {
    /** The checksum of the IPv4 header was found right. */
    public static final int IP_CHECKSUM_GOOD = 1;
    /** The checksum of TCP or UDP was found right. */
    public static final int TRANSPORT_CHECKSUM_GOOD = 2;
    /** A VLAN tag was taken out of the packet, see {@link #tag}; or, when sending, is to be put in. */
    public static final int TAGGED = 4;
    /** {@link #hash} says something. */
    public static final int HASHED = 8;
    /** To be sent with the IPv4 header's checksum filled in. */
    public static final int FILL_IP_CHECKSUM = 16;
    /** To be sent with the checksum of TCP or UDP filled in; see {@link #transportOffset}. */
    public static final int FILL_TRANSPORT_CHECKSUM = 32;
    /** To be cut into segments of {@link #segment} bytes of payload behind {@link #headerBytes} of headers. */
    public static final int CUT = 64;

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final PacketHome home;
    /** What its home cuts buffers from: one for all of them, so that it is at hand. */
    private final MemorySegment region;
    private final int start;
    private final long dma;
    private final int capacity;
    private final int key;
    private int offset;
    private int length;
    private int flags;
    private int hash;
    private int tag;
    private int segment;
    private int headerBytes;
    private int transportOffset;
    private int queue;
    private String holder;
    private PacketBuffer next;

    /**
     * Made by pools only.
     *
     * @param region what buffers are cut from
     * @param start where this one begins in there, headroom included
     * @param capacity its bytes
     * @param dma where the function finds its first byte
     * @param key tells the home which of its buffers this is
     */
    public PacketBuffer(PacketHome home, MemorySegment region, int start, int capacity, long dma, int key) {
        Objects.checkFromIndexSize((long) start, capacity, region.byteSize());
        this.home = home;
        this.region = region;
        this.start = start;
        this.capacity = capacity;
        this.dma = dma;
        this.key = key;
    }

    /** Gives it back to where it comes from; the owner must not touch it afterwards. */
    public void release() {
        home.release(this);
    }

    /**
     * Gives several back, which is cheaper than one by one: those that follow each other and have the same home go
     * there together. One that was released before does not keep the others from home.
     */
    public static void release(PacketBuffer[] packets, int from, int count) {
        RuntimeException mistake = null;
        int end = from + count;
        int at = from;
        while (at < end) {
            PacketHome home = packets[at].home;
            int first = at++;
            while (at < end && packets[at].home == home) {
                at++;
            }
            try {
                home.release(packets, first, at - first);
            } catch (RuntimeException refused) {
                mistake = refused;
            }
        }
        if (mistake != null) {
            throw mistake;
        }
    }

    public PacketHome home() {
        return home;
    }

    /** Which of its home's buffers it is. */
    public int key() {
        return key;
    }

    /** Where the packet is in this process, for the rooms that make pointers. */
    public long address() {
        return region.address() + start + offset;
    }

    /** Where the function finds the packet. */
    public long dma() {
        return dma + offset;
    }

    /** All of the buffer: the packet begins at {@link #headroom}. Made anew for each call. */
    public MemorySegment memory() {
        return region.asSlice(start, capacity);
    }

    public int capacity() {
        return capacity;
    }

    /** Bytes in front of the packet. */
    public int headroom() {
        return offset;
    }

    public int length() {
        return length;
    }

    /** Says where the packet lies; nothing else is known of it then. */
    public void place(int headroom, int bytes) {
        Objects.checkFromIndexSize(headroom, bytes, capacity);
        offset = headroom;
        length = bytes;
        flags = 0;
    }

    /** Moves the packet's first byte: forwards over headers that are done with, or backwards into the headroom. */
    public void pull(int bytes) {
        Objects.checkFromIndexSize(offset + bytes, length - bytes, capacity);
        offset += bytes;
        length -= bytes;
    }

    /** What is known or wanted of the packet, of the constants here. */
    public int flags() {
        return flags;
    }

    public void flags(int value) {
        flags = value;
    }

    /** The receive hash, if {@link #HASHED}. */
    public int hash() {
        return hash;
    }

    public void hash(int value) {
        hash = value;
    }

    /** The VLAN tag as it stands in a frame, if {@link #TAGGED}. */
    public int tag() {
        return tag;
    }

    public void tag(int value) {
        tag = value;
    }

    public int segment() {
        return segment;
    }

    public int headerBytes() {
        return headerBytes;
    }

    /** Has it cut when sent: payload per segment, and how much of the packet is headers. */
    public void cut(int payload, int headers) {
        segment = payload;
        headerBytes = headers;
        flags |= CUT;
    }

    /** Where the transport header begins. */
    public int transportOffset() {
        return transportOffset;
    }

    public void transportOffset(int value) {
        transportOffset = value;
    }

    /** The queue it came in on, or is to go out on. */
    public int queue() {
        return queue;
    }

    public void queue(int value) {
        queue = value;
    }

    /** The holder's name, for people who look for missing buffers; of a free buffer, that of its last holder. */
    public String holder() {
        return holder;
    }

    public void holder(String who) {
        holder = who;
    }

    /** Links buffers to a list; their owner may use it. */
    public PacketBuffer next() {
        return next;
    }

    public void next(PacketBuffer value) {
        next = value;
    }

    /** A byte of the packet, by its offset from the packet's start. */
    public int get8(int at) {
        return region.get(ValueLayout.JAVA_BYTE, checked(at, 1)) & 0xff;
    }

    /** Two bytes in network order. */
    public int get16(int at) {
        return region.get(SHORT, checked(at, 2)) & 0xffff;
    }

    /** Four bytes in network order. */
    public int get32(int at) {
        return region.get(INT, checked(at, 4));
    }

    /** Eight bytes in network order. */
    public long get64(int at) {
        return region.get(LONG, checked(at, 8));
    }

    public void put8(int at, int value) {
        region.set(ValueLayout.JAVA_BYTE, checked(at, 1), (byte) value);
    }

    public void put16(int at, int value) {
        region.set(SHORT, checked(at, 2), (short) value);
    }

    public void put32(int at, int value) {
        region.set(INT, checked(at, 4), value);
    }

    public void put64(int at, long value) {
        region.set(LONG, checked(at, 8), value);
    }

    /** Copies bytes of the packet out. */
    public void get(int at, byte[] to, int from, int count) {
        MemorySegment.copy(region, ValueLayout.JAVA_BYTE, checked(at, count), to, from, count);
    }

    /** Copies bytes into the packet. */
    public void put(int at, byte[] from, int first, int count) {
        MemorySegment.copy(from, first, region, ValueLayout.JAVA_BYTE, checked(at, count), count);
    }

    private long checked(int at, int bytes) {
        Objects.checkFromIndexSize(at, bytes, length);
        return (long) start + offset + at;
    }
}
