package io.manafold.sockets.internal.server;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.ServerPlan;
import io.manafold.api.sockets.Sockets;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Begins conversations as a plan says, and has their memory. */
final class ConversationFactory implements AutoCloseable {
    private final ServerPlan plan;
    private final Slices slices;
    private final FileChannel file;

    ConversationFactory(Sockets sockets, MemorySource memory, ServerPlan plan) {
        this.plan = plan;
        slices = new Slices(sockets, memory);
        file = plan.work() == ServerPlan.Work.FILE ? open(plan.file()) : null;
    }

    private static FileChannel open(Path path) {
        if (path == null) {
            throw new Refusal(Errno.EINVAL, "A server that sends a file needs to know which.");
        }
        try {
            if (!Files.exists(path)) {
                throw new Refusal(Errno.ENOENT, "There is no file " + path + " that could be sent.");
            }
            if (!Files.isRegularFile(path)) {
                throw new Refusal(Errno.EINVAL, path + " is no regular file, and reading it could take for ever; "
                        + "send a file.");
            }
            return FileChannel.open(path);
        } catch (IOException unreadable) {
            throw new Refusal(Errno.EACCES, "The file " + path + " cannot be read: " + unreadable.getMessage() + ".",
                    unreadable);
        }
    }

    Conversation begin(Endpoint endpoint) {
        Slice slice = slices.take();
        return switch (plan.work()) {
            case ECHO -> new Echo(endpoint, slice);
            case SINK -> new Sink(endpoint, slice);
            case SOURCE -> new Sending(endpoint, slice, new Pattern());
            case FILE -> new Sending(endpoint, slice, new FileBytes(file));
        };
    }

    void end(Conversation conversation) {
        slices.giveBack(conversation.slice());
    }

    @Override
    public void close() {
        slices.close();
        if (file != null) {
            try {
                file.close();
            } catch (IOException _) {
                // it was only read
            }
        }
    }
}
