package io.manafold.netshaper.internal.place;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.ShaperCall;
import io.manafold.api.shaper.ShaperEvent;
import io.manafold.api.shaper.ShaperOperation;
import io.manafold.api.shaper.ShaperStatus;
import io.manafold.api.shaper.Shapers;
import io.manafold.netshaper.internal.family.Family;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The shapers of the interfaces of a kernel, or of another platform, which is asked in messages. */
class KernelShapers implements Shapers {
    private final String place;
    private final String who;
    private final String release;
    private final Conversation conversation;
    private final Names names;

    /**
     * @param who answers, for sentences
     * @param release which Linux it is; empty if that is not known
     */
    KernelShapers(String place, String who, String release, Conversation conversation, Names names) {
        this.place = place;
        this.who = who;
        this.release = release.isEmpty() ? "" : " (" + release + ")";
        this.conversation = conversation;
        this.names = names;
    }

    @Override
    public String place() {
        return place;
    }

    @Override
    public List<? extends ShaperOperation> operations() {
        return Family.NET_SHAPER.operations();
    }

    @Override
    public List<String> devices() {
        return names.all();
    }

    @Override
    public boolean has(String device) {
        return names.number(device).isPresent();
    }

    @Override
    public int index(String device) {
        return names.number(device).orElseThrow(() -> {
            List<String> known = names.all();
            return new Refusal(Errno.ENODEV, who + " has no interface '" + device + "'"
                    + (known.isEmpty() ? "; name it by its number." : "; it has " + String.join(", ", known) + "."));
        });
    }

    /** The kernel may get the family with a module at any time, so it is asked each time. */
    private int number() {
        int number = conversation.resolve(Family.NET_SHAPER.name());
        if (number < 0) {
            throw new Refusal(Errno.EOPNOTSUPP, who + release + " has no family '"
                    + Family.NET_SHAPER.name() + "', so its interfaces cannot be limited this way. Linux has it from "
                    + "6.13 on if it is built with CONFIG_NET_SHAPER; devices of this platform have it always.");
        }
        return number;
    }

    @Override
    public Map<String, Object> perform(String operation, Map<String, Object> attributes) {
        List<Map<String, Object>> replies = conversation.perform(number(), operation, attributes, false);
        return replies.isEmpty() ? Map.of() : replies.getFirst();
    }

    @Override
    public List<Map<String, Object>> dump(String operation, Map<String, Object> attributes) {
        return conversation.perform(number(), operation, attributes, true);
    }

    @Override
    public List<ShaperCall> plan(String operation, Map<String, Object> attributes) {
        throw new Refusal(Errno.EOPNOTSUPP,
                who + " cannot say what it would do; the platform can, for its own devices.");
    }

    @Override
    public List<ShaperStatus> status(String device) {
        return List.of();
    }

    @Override
    public AutoCloseable watch(Consumer<ShaperEvent> listener) {
        throw new Refusal(Errno.EOPNOTSUPP, who + " does not tell when a shaper becomes another.");
    }
}
