package io.manafold.netshaper.internal.place;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.ShaperCall;
import io.manafold.api.shaper.ShaperEvent;
import io.manafold.api.shaper.ShaperOperation;
import io.manafold.api.shaper.ShaperStatus;
import io.manafold.api.shaper.Shapers;
import io.manafold.linux.InterfaceControl;
import io.manafold.linux.SystemCallException;
import io.manafold.netshaper.internal.family.Family;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.osgi.service.component.annotations.Component;

/** The shapers of the interfaces of the kernel that this program runs on. */
@Component(service = Shapers.class, property = "place=host")
public final class HostShapers implements Shapers {
    private static final String WHO = "The host's kernel";

    private final Conversation conversation;

    public HostShapers() {
        this(new KernelLine());
    }

    HostShapers(Line line) {
        this.conversation = new Conversation(line, WHO);
    }

    @Override
    public String place() {
        return "host";
    }

    @Override
    public List<? extends ShaperOperation> operations() {
        return Family.NET_SHAPER.operations();
    }

    @Override
    public List<String> devices() {
        try {
            return NetworkInterface.networkInterfaces().map(NetworkInterface::getName).sorted().toList();
        } catch (SocketException unknown) {
            return List.of();
        }
    }

    @Override
    public boolean has(String device) {
        try {
            return !tooLong(device) && InterfaceControl.index(device) > 0;
        } catch (SystemCallException unknown) {
            return false;
        }
    }

    private static boolean tooLong(String device) {
        return device.isEmpty() || device.getBytes(StandardCharsets.UTF_8).length > InterfaceControl.LONGEST_NAME;
    }

    @Override
    public int index(String device) {
        try {
            if (!tooLong(device)) {
                return InterfaceControl.index(device);
            }
        } catch (SystemCallException unknown) {
            // told below
        }
        throw new Refusal(Errno.ENODEV, WHO + " has no interface '" + device + "'.");
    }

    /** The kernel may get the family with a module at any time, so it is asked each time. */
    private int number() {
        int number = conversation.resolve();
        if (number < 0) {
            throw new Refusal(Errno.EOPNOTSUPP, WHO + " (" + System.getProperty("os.version") + ") has no family '"
                    + Family.NET_SHAPER.name() + "', so its interfaces cannot be limited this way. Linux has it from 6.13 on "
                    + "if it is built with CONFIG_NET_SHAPER; devices of this platform have it always.");
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
        throw new Refusal(Errno.EOPNOTSUPP, WHO + " cannot say what it would do; the platform can, for its own devices.");
    }

    @Override
    public List<ShaperStatus> status(String device) {
        return List.of();
    }

    @Override
    public AutoCloseable watch(Consumer<ShaperEvent> listener) {
        throw new Refusal(Errno.EOPNOTSUPP, WHO + " tells nobody when a shaper becomes another.");
    }
}
