package io.manafold.netshaper.internal.place;

import io.manafold.api.shaper.Shapers;
import org.osgi.service.component.annotations.Component;

/** The shapers of the interfaces of the kernel that this program runs on. */
@Component(service = Shapers.class, property = "place=host")
public final class HostShapers extends KernelShapers {
    private static final String WHO = "The host's kernel";

    public HostShapers() {
        this(new KernelLine());
    }

    HostShapers(Line line) {
        super("host", WHO, System.getProperty("os.version"), new Conversation(line, WHO), new HostNames());
    }
}
