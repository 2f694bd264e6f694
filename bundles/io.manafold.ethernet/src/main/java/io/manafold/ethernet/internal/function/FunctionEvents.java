package io.manafold.ethernet.internal.function;

import io.manafold.api.device.DeviceEvent.Kind;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Tells the platform's events of a function's links and resets. A function, or who lends it, that toggles its links or
 * asks for resets over and over may not push out what is remembered of other devices: beyond a few at once there is one
 * event a second of each sort, which says how many were left out, and the last state is told in any case. Any thread;
 * events are posted with no lock held.
 */
final class FunctionEvents {
    private final ServiceGateway services;
    private final String function;
    private final RateLimiter links;
    private final RateLimiter resets;
    private boolean up = true;
    private long linksUntold;
    private long resetsUntold;

    FunctionEvents(ServiceGateway services, String function, LongSupplier nanoTime) {
        this.services = services;
        this.function = function;
        links = new RateLimiter(nanoTime);
        resets = new RateLimiter(nanoTime);
    }

    /**
     * All links may have come or gone.
     *
     * @param areUp asked here, so that of two who call this at once the later one does not tell the older state
     */
    void links(BooleanSupplier areUp) {
        synchronized (this) {
            boolean now = areUp.getAsBoolean();
            if (up == now) {
                return;
            }
            up = now;
            linksUntold++;
        }
        tellLinks();
    }

    private void tellLinks() {
        boolean now;
        long before;
        synchronized (this) {
            if (linksUntold == 0 || !links.take()) {
                return;
            }
            now = up;
            before = linksUntold - 1;
            linksUntold = 0;
        }
        services.tell(now ? Kind.LINK_UP : Kind.LINK_DOWN, function, "the links of " + function
                + (now ? " are up" : " are down") + (before == 0 ? ""
                : "; " + before + (before == 1 ? " change" : " changes") + " before that, not told"));
    }

    /**
     * A reset begins.
     *
     * @return whether it is told; its end is told with {@link #recovered} only then
     */
    boolean reset(String sentence) {
        long before;
        synchronized (this) {
            if (!resets.take()) {
                resetsUntold++;
                return false;
            }
            before = resetsUntold;
            resetsUntold = 0;
        }
        services.tell(Kind.RESET, function, sentence + (before == 0 ? ""
                : "; " + before + (before == 1 ? " reset" : " resets") + " before that, not told"));
        return true;
    }

    /** A reset that was told is over. */
    void recovered(String sentence) {
        services.tell(Kind.RECOVERED, function, sentence);
    }

    /** From time to time: what was left out and is followed by nothing. */
    void catchUp() {
        tellLinks();
        long before;
        synchronized (this) {
            if (resetsUntold == 0 || !resets.take()) {
                return;
            }
            before = resetsUntold;
            resetsUntold = 0;
        }
        services.tell(Kind.RESET, function, function + " has had " + before + (before == 1 ? " more reset"
                : " more resets") + ", not told one by one");
    }
}
