package io.manafold.commands.net.internal;

import io.manafold.api.inet.PacketListing;
import io.manafold.api.inet.PassingPacket;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Prints packets until there are as many as were asked for: a line each, an object each for programs. */
final class PacketDump {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS ")
            .withZone(ZoneId.systemDefault());
    private static final Duration GLANCE = Duration.ofMillis(100);

    private final Call call;
    private final PacketListing packets;
    private long seen;

    PacketDump(Call call, PacketListing packets) {
        this.call = call;
        this.packets = packets;
    }

    /** How many there were. */
    long seen() {
        return seen;
    }

    /** @param silent whether they go to the output in another way */
    void show(long most, boolean silent, boolean withLink, boolean withTime) throws InterruptedException {
        long looked = System.nanoTime();
        while (seen < most) {
            Optional<PassingPacket> next = packets.next(GLANCE);
            if (next.isPresent()) {
                seen++;
                if (!silent) {
                    print(next.get(), withLink, withTime);
                }
            }
            // by the clock: a busy device is never silent, and a look for each packet would write each by itself
            if (System.nanoTime() - looked >= GLANCE.toNanos()) {
                if (call.out().checkError()) {
                    return;
                }
                looked = System.nanoTime();
            }
        }
    }

    private void print(PassingPacket packet, boolean withLink, boolean withTime) {
        if (call.json()) {
            call.printLine(Fields.of("time", packet.time()).and("incoming", packet.incoming())
                    .and("length", packet.length()).and("packet", packet.text(withLink)));
        } else {
            call.out().println((withTime ? CLOCK.format(packet.time()) : "") + packet.text(withLink));
        }
    }
}
