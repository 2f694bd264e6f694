package io.manafold.vfio.internal;

import io.manafold.api.device.DeviceEvent.Kind;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * Tells of virtual machines that connect to an export, that have memory it cannot use, and that leave it. One that does
 * so over and over may not push out what is remembered of other devices: beyond a few at once there is one a second,
 * which says how many were left out.
 */
final class GuestEvents {
    static final GuestEvents NONE = new GuestEvents("", (kind, sentence) -> { }, System::nanoTime);

    private static final long SECOND = 1_000_000_000L;
    private static final int AT_ONCE = 8;

    private final String export;
    private final BiConsumer<Kind, String> events;
    private final LongSupplier nanos;
    private long counted;
    private int allowed = AT_ONCE;
    private int untold;
    private int unsharedUntold;
    private boolean told;

    GuestEvents(String export, BiConsumer<Kind, String> events, LongSupplier nanos) {
        this.export = export;
        this.events = events;
        this.nanos = nanos;
        this.counted = nanos.getAsLong();
    }

    private boolean mayTell() {
        long seconds = (nanos.getAsLong() - counted) / SECOND;
        counted += seconds * SECOND;
        allowed = (int) Math.min(AT_ONCE, allowed + seconds);
        if (allowed == 0) {
            return false;
        }
        allowed--;
        return true;
    }

    synchronized void connected() {
        told = mayTell();
        if (!told) {
            untold++;
            return;
        }
        String others = untold == 0 ? "" : "; " + untold + " that came and went meanwhile "
                + (untold == 1 ? "is" : "are") + " not told";
        untold = 0;
        events.accept(Kind.GUEST_CONNECTED, "export " + export + ": a virtual machine is connected" + others);
    }

    /** @param why a sentence without a full stop */
    synchronized void unshared(String why) {
        if (!mayTell()) {
            unsharedUntold++;
            return;
        }
        String others = unsharedUntold == 0 ? ""
                : "; this was so " + unsharedUntold + " times more, which are not told";
        unsharedUntold = 0;
        events.accept(Kind.REFUSED, "export " + export + ": " + why + others);
    }

    /** Tells it of a virtual machine whose arrival was told. */
    synchronized void gone(String why) {
        if (told) {
            told = false;
            events.accept(Kind.GUEST_GONE, "export " + export + ": the virtual machine is gone"
                    + (why.isBlank() ? "" : ": " + why));
        }
    }
}
