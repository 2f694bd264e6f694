package io.manafold.netshaper.internal.place;

import io.manafold.api.shaper.ShaperSockets;
import io.manafold.api.shaper.Shapers;
import java.nio.file.Path;
import org.osgi.service.component.annotations.Component;

/** Places behind Unix sockets. */
@Component
public final class SocketPlaces implements ShaperSockets {
    @Override
    public Shapers at(Path socket) {
        Path path = socket.toAbsolutePath().normalize();
        String who = "What answers behind " + path;
        Line line = new SocketLine(path);
        Conversation conversation = new Conversation(line, who);
        return new KernelShapers(path.toString(), who, "", conversation, new EthtoolNames(line, conversation));
    }
}
