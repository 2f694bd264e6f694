package io.manafold.adapter.internal.ethernet;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import io.manafold.fabric.internal.LinkWithoutViews;
import java.util.ArrayList;
import java.util.List;

/** A link whose agent is the thread of the test: what one plug sends, all others receive at once. */
class DirectLink extends LinkWithoutViews {
    final List<Plug> plugs = new ArrayList<>();
    /** Frames as they went over, when asked for. */
    final List<byte[]> seen = new ArrayList<>();
    final List<Integer> marks = new ArrayList<>();
    final List<Boolean> repeats = new ArrayList<>();
    /** Of each burst whether its memory may vanish. */
    final List<Boolean> vanishing = new ArrayList<>();
    boolean watching;
    int bursts;
    /** Bits a second, 0 for a link without a rate. */
    long rate;
    /** Runs when a burst has been given over, before it is looked at. */
    Runnable before = () -> { };
    /** Where commands wait while the agent is busy; {@code null} while it is not. */
    List<Runnable> deferred;

    @Override
    public String name() {
        return "direct";
    }

    @Override
    public Wire plug(Plug plug) {
        plugs.add(plug);
        return new Wire() {
            @Override
            public void send(Frames frames) {
                bursts++;
                vanishing.add(frames.mayVanish());
                before.run();
                if (watching) {
                    watch(frames);
                }
                for (int i = 0; i < plugs.size(); i++) {
                    if (plugs.get(i) != plug) {
                        plugs.get(i).receive(frames, 0, frames.count());
                    }
                }
            }

            @Override
            public long rate() {
                return rate;
            }

            @Override
            public void wake() {
                // the test's thread never rests
            }

            @Override
            public void execute(Runnable command) {
                if (deferred == null) {
                    command.run();
                } else {
                    deferred.add(command);
                }
            }

            @Override
            public void close() {
                plugs.remove(plug);
            }
        };
    }

    private void watch(Frames frames) {
        frames.complete(0, frames.count());
        for (int frame = 0; frame < frames.count(); frame++) {
            byte[] bytes = new byte[frames.length(frame)];
            int done = 0;
            for (int piece = 0; piece < frames.pieces(frame); piece++) {
                int length = frames.length(frame, piece);
                io.manafold.memory.RawMemory.copy(frames.address(frame, piece), bytes, done, length);
                done += length;
            }
            seen.add(bytes);
            marks.add(frames.marks(frame));
            repeats.add(frames.repeats(frame));
        }
    }
}
