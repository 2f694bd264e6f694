package io.manafold.netshaper.internal.tree;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperCall;
import io.manafold.api.shaper.ShaperCall.Kind;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperOps;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of a driver's {@link ShaperOps}, or a record of them; what a driver throws without saying why becomes a
 * refusal.
 */
interface DriverCalls {
    void set(Shaper shaper);

    void delete(ShaperHandle handle);

    void group(Shaper node, List<Shaper> leaves);

    /** Of a driver. */
    static DriverCalls of(ShaperOps ops) {
        return new DriverCalls() {
            private static final Logger LOG = LoggerFactory.getLogger(DriverCalls.class);

            @Override
            public void set(Shaper shaper) {
                call("set " + shaper.handle(), () -> ops.set(shaper));
            }

            @Override
            public void delete(ShaperHandle handle) {
                call("delete " + handle, () -> ops.delete(handle));
            }

            @Override
            public void group(Shaper node, List<Shaper> leaves) {
                call("group " + node.handle(), () -> ops.group(node, leaves));
            }

            private void call(String what, Runnable call) {
                try {
                    call.run();
                } catch (Refusal refused) {
                    throw refused;
                } catch (RuntimeException failed) {
                    LOG.warn("{}: {} failed in the driver", ops.device().name(), what, failed);
                    throw new Refusal(Errno.EIO, "The driver of " + ops.device().name() + " failed in the middle of '"
                            + what + "'; the log has more.", failed);
                }
            }
        };
    }

    /** Writes down what would be done. */
    static DriverCalls into(List<ShaperCall> calls) {
        return new DriverCalls() {
            @Override
            public void set(Shaper shaper) {
                calls.add(new ShaperCall(Kind.SET, shaper, List.of()));
            }

            @Override
            public void delete(ShaperHandle handle) {
                calls.add(new ShaperCall(Kind.DELETE, Shaper.of(handle), List.of()));
            }

            @Override
            public void group(Shaper node, List<Shaper> leaves) {
                calls.add(new ShaperCall(Kind.GROUP, node, leaves));
            }
        };
    }
}
