package io.manafold.memory;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** The blocks of the platform. They outlive this component: a holder of one may go on. */
@Component(service = MemorySource.class, configurationPid = "io.manafold.memory")
@Designate(ocd = SharedBlocks.Config.class)
public final class SharedBlocks implements MemorySource {
    private final List<SharedBlock> blocks = new CopyOnWriteArrayList<>();
    private final int mostBlocks;
    private final long mostBytes;
    private int count;
    private long bytes;

    /** How much there may be. */
    @ObjectClassDefinition(name = "Manafold memory blocks")
    public @interface Config {
        @AttributeDefinition(description = "How many blocks there may be.")
        int blocks() default 1024;

        @AttributeDefinition(description = "How many bytes all of them may have together.")
        long bytes() default 1L << 36;
    }

    @Activate
    public SharedBlocks(Config config) {
        this(config.blocks(), config.bytes());
    }

    SharedBlocks(int mostBlocks, long mostBytes) {
        this.mostBlocks = mostBlocks;
        this.mostBytes = mostBytes;
    }

    @Override
    public MemoryBlock make(String name, long wanted) {
        if (wanted <= 0 || wanted > Long.MAX_VALUE - RawMemory.PAGE) {
            throw new Refusal(Errno.EINVAL, "A memory block of " + wanted
                    + " bytes cannot be made: it has at least 1.");
        }
        long size = wanted + RawMemory.PAGE - 1 & -RawMemory.PAGE;
        take(name, size);
        SharedBlock made = null;
        try {
            // told of its end by itself, which cannot come before it is in the list: its maker holds it
            SharedBlock[] self = new SharedBlock[1];
            made = new SharedBlock(name, size, () -> giveBack(self[0], size));
            self[0] = made;
            blocks.add(made);
            return made;
        } finally {
            if (made == null) {
                giveBack(null, size);
            }
        }
    }

    private synchronized void take(String name, long size) {
        if (count == mostBlocks || size > mostBytes - bytes) {
            throw new Refusal(Errno.ENOSPC, "The memory block " + name + " of " + size + " bytes is not made: there "
                    + "are " + count + " blocks of at most " + mostBlocks + " with " + bytes + " bytes of at most "
                    + mostBytes + "; close others, or raise the limits of io.manafold.memory.");
        }
        count++;
        bytes += size;
    }

    private synchronized void giveBack(SharedBlock gone, long size) {
        count--;
        bytes -= size;
        if (gone != null) {
            blocks.remove(gone);
        }
    }

    @Override
    public List<MemoryBlock> blocks() {
        return blocks.stream().<MemoryBlock>map(block -> block).sorted(Comparator.comparing(MemoryBlock::name))
                .toList();
    }
}
