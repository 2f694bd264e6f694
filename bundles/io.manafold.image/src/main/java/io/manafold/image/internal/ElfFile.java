package io.manafold.image.internal;

import io.manafold.api.doctor.Binary;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An ELF file of 64 bits: its sections, and objects by their symbols. Every number in it may be wrong. */
final class ElfFile implements Binary {
    private static final int HEADER = 64;
    private static final int SECTION = 64;
    private static final int SYMBOL = 24;
    private static final int RELOCATABLE = 1;
    private static final int PROGRAM_DATA = 1;
    private static final int SYMBOLS = 2;
    private static final int DYNAMIC_SYMBOLS = 11;
    private static final int NO_BITS = 8;
    private static final int IN_MEMORY = 2;
    private static final int INSTRUCTIONS = 4;
    private static final int RESERVED_INDEX = 0xff00;

    private final ByteBuffer file;
    private final boolean relocatable;
    private final List<Section> sections = new ArrayList<>();
    /** The section that has the names of sections. */
    private final int names;

    private record Section(int name, int type, long flags, long address, int at, int size, int link) {
    }

    ElfFile(byte[] bytes) throws IOException {
        file = ByteBuffer.wrap(bytes).asReadOnlyBuffer();
        if (bytes.length < HEADER || file.getInt(0) != 0x7f454c46) {
            throw new IOException("it is no ELF file");
        }
        if (bytes[4] != 2) {
            throw new IOException("it is an ELF file of 32 bits, and those of MANA have 64");
        }
        file.order(bytes[5] == 2 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        relocatable = file.getShort(16) == RELOCATABLE;
        long table = file.getLong(40);
        int count = Short.toUnsignedInt(file.getShort(60));
        if (Short.toUnsignedInt(file.getShort(58)) != SECTION && count > 0) {
            throw new IOException("its section headers have a size that is none");
        }
        if (table < 0 || table > bytes.length - (long) count * SECTION) {
            throw new IOException("its section headers lie behind its end");
        }
        for (int i = 0; i < count; i++) {
            sections.add(section((int) table + i * SECTION));
        }
        names = Short.toUnsignedInt(file.getShort(62));
    }

    /** A section whose place is outside of the file has no contents. */
    private Section section(int at) {
        int type = file.getInt(at + 4);
        long offset = file.getLong(at + 24);
        long size = file.getLong(at + 32);
        boolean inside = type != NO_BITS && offset >= 0 && size >= 0 && offset <= file.limit()
                && size <= file.limit() - offset;
        return new Section(file.getInt(at), type, file.getLong(at + 8), file.getLong(at + 16),
                inside ? (int) offset : 0, inside ? (int) size : 0, file.getInt(at + 40));
    }

    private ByteBuffer contents(Section section) {
        return slice(section.at, section.size);
    }

    private ByteBuffer slice(int at, int size) {
        return file.slice(at, size).order(file.order());
    }

    @Override
    public Optional<ByteBuffer> section(String name) {
        if (names >= sections.size()) {
            return Optional.empty();
        }
        Section texts = sections.get(names);
        byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
        return sections.stream().filter(section -> named(texts, section.name, wanted)).findFirst()
                .map(this::contents);
    }

    private boolean named(Section texts, int offset, byte[] wanted) {
        if (offset < 0 || offset > texts.size - wanted.length - 1) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (file.get(texts.at + offset + i) != wanted[i]) {
                return false;
            }
        }
        return file.get(texts.at + offset + wanted.length) == 0;
    }

    /** A file has one table of each kind: of more, which may lie over each other, the first one counts. */
    @Override
    public Optional<ByteBuffer> object(String symbol) {
        byte[] wanted = symbol.getBytes(StandardCharsets.UTF_8);
        for (int type : new int[] {SYMBOLS, DYNAMIC_SYMBOLS}) {
            Optional<ByteBuffer> object = sections.stream().filter(section -> section.type == type).findFirst()
                    .flatMap(table -> object(table, symbol, wanted));
            if (object.isPresent()) {
                return object;
            }
        }
        return Optional.empty();
    }

    private Optional<ByteBuffer> object(Section table, String symbol, byte[] wanted) {
        if (table.link < 0 || table.link >= sections.size()) {
            return Optional.empty();
        }
        Section texts = sections.get(table.link);
        for (int at = table.at; at <= table.at + table.size - SYMBOL; at += SYMBOL) {
            if (Thread.currentThread().isInterrupted()) {
                throw new Refusal(Errno.EINTR, "The search for '" + symbol + "' in the symbols of an ELF file was "
                        + "interrupted; ask again.");
            }
            Optional<ByteBuffer> object = named(texts, file.getInt(at), wanted) ? object(at) : Optional.empty();
            if (object.isPresent()) {
                return object;
            }
        }
        return Optional.empty();
    }

    /** What the symbol at a place of the file stands for, if it is in a section and in its bounds. */
    private Optional<ByteBuffer> object(int at) {
        int index = Short.toUnsignedInt(file.getShort(at + 6));
        if (index == 0 || index >= RESERVED_INDEX || index >= sections.size()) {
            return Optional.empty();
        }
        Section home = sections.get(index);
        long offset = file.getLong(at + 8) - (relocatable ? 0 : home.address);
        long size = file.getLong(at + 16);
        if (offset < 0 || size <= 0 || offset > home.size || size > home.size - offset) {
            return Optional.empty();
        }
        return Optional.of(slice(home.at + (int) offset, (int) size));
    }

    /** Sections do not lie over each other: what they have in all is no more than the file has. */
    @Override
    public List<ByteBuffer> data() {
        List<ByteBuffer> data = new ArrayList<>();
        int left = file.limit();
        for (Section section : sections) {
            if (section.type == PROGRAM_DATA && (section.flags & IN_MEMORY) != 0 && (section.flags & INSTRUCTIONS) == 0
                    && section.size <= left) {
                left -= section.size;
                data.add(contents(section));
            }
        }
        return data;
    }
}
