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

/** What can be had done by a driver; what it throws without saying why becomes a refusal. */
interface Deeds {
    void set(Shaper shaper);

    void delete(ShaperHandle handle);

    void group(Shaper node, List<Shaper> leaves);

    /** Of a driver. */
    static Deeds of(ShaperOps ops) {
        return new Deeds() {
            private static final Logger log = LoggerFactory.getLogger(Deeds.class);

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

            private void call(String what, Runnable deed) {
                try {
                    deed.run();
                } catch (Refusal refused) {
                    throw refused;
                } catch (RuntimeException failed) {
                    log.warn("{}: {} failed in the driver", ops.device().name(), what, failed);
                    throw new Refusal(Errno.EIO, "The driver of " + ops.device().name() + " failed in the middle of '"
                            + what + "'; the log has more.", failed);
                }
            }
        };
    }

    /** Writes down what would be done. */
    static Deeds into(List<ShaperCall> calls) {
        return new Deeds() {
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
