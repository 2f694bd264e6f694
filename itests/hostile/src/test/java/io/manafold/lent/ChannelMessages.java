package io.manafold.lent;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.Request;
import io.manafold.gdma.message.Requests;
import io.manafold.hostile.Parts;
import io.manafold.hostile.Taker;
import io.manafold.vfio.internal.BareExport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Messages of a driver on the hardware channel of a lent adapter; after each input the function is reset. */
public final class ChannelMessages implements Taker {
    private final Path folder = Files.createTempDirectory("hostile");
    private final Path path = folder.resolve("one.sock");
    private final TestAdapter adapter = new TestAdapter("one", "ports", 2, "queues", 4);
    private final BareExport export = new BareExport("one", adapter.function(), path);
    private final Borrowed function = new Borrowed(path);

    public ChannelMessages() throws IOException {
    }

    @Override
    public void take(byte[] input) {
        try (RawChannel channel = new RawChannel(adapter, function)) {
            for (byte[] message : Parts.of(input)) {
                channel.send(message.length <= RawChannel.PAGE ? message : Arrays.copyOf(message, RawChannel.PAGE));
            }
            function.reset();
        }
        Map<String, Long> used = adapter.adapter().usage();
        used.keySet().removeAll(Set.of("mapped_ranges", "mapped_bytes", "rejections"));
        used.values().removeIf(count -> count == 0);
        if (!used.isEmpty()) {
            throw new AssertionError("left after a reset: " + used);
        }
    }

    @Override
    public List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        List<byte[]> all = new ArrayList<>();
        for (Command command : Command.values()) {
            Request<?> request = Requests.decode(command, new Message().clear(command.requestSize()));
            DeviceId device = command.isEthernet() ? DeviceId.ETHERNET
                    : command.isRdma() ? DeviceId.RDMA : DeviceId.NONE;
            Message message = request.write(new Message(), all.size(), device, 0);
            byte[] bytes = message.bytes(0, message.length());
            all.add(bytes);
            seeds.add(Parts.joined(List.of(bytes)));
        }
        seeds.add(Parts.joined(all));
        return seeds;
    }

    @Override
    public void close() throws IOException {
        function.close();
        export.close();
        adapter.close();
        Files.deleteIfExists(path);
        Files.deleteIfExists(folder);
    }
}
