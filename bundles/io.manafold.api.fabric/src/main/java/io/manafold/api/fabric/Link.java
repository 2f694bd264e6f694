package io.manafold.api.fabric;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What ports plug into: a switch, a cable, a way to the host. Registered with the properties {@link #NAME} and
 * {@link #PORTS}. Any thread may call.
 */
@ProviderType
public interface Link {
    /** Service property: the link's name. */
    String NAME = "name";
    /** Service property, {@code String[]}: the names of the ports it is meant for. */
    String PORTS = "ports";

    String name();

    /**
     * Plugs a port in. Its agent may call the plug before this returns; once it has returned, frames that are sent to
     * the port reach it. Only when called by the agent itself, or when that is busy for seconds, the port follows
     * later.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a port the link is not meant for, {@code EBUSY} if a
     *         port of the name is plugged in already, {@code ENODEV} if the link is going away
     */
    Wire plug(Plug plug);

    /**
     * Plugs a companion in at the place of a port, whether the port is plugged in or not.
     *
     * @param port the port's name, {@code one/1}
     * @throws io.manafold.api.refusal.Refusal as {@link #plug} does; {@code EOPNOTSUPP} if this link has no companions
     */
    default CompanionWire plugBeside(String port, Plug companion) {
        throw new Refusal(Errno.EOPNOTSUPP, "Link " + name() + " has no place for a companion of " + port + ".");
    }

    LinkStatus status();

    /** Changes what is done to the frames from now on. */
    void impair(Impairments impairments);

    /**
     * Adds a rule behind those that are there.
     *
     * @throws io.manafold.api.refusal.Refusal {@code ENOSPC} if there are {@link PacketRule#MOST} already
     */
    void impair(PacketRule rule);

    /** Takes all rules away; what they made late is still on its way. */
    void clearRules();

    /** Writes every frame that enters the link to a new pcapng file, until {@link #stopCapture}. */
    default CaptureStatus startCapture(Path file, int snap) {
        return startCapture(file, snap, Long.MAX_VALUE);
    }

    /**
     * Writes every frame that enters the link to a new pcapng file, until there are as many as asked for or
     * {@link #stopCapture}.
     *
     * @param file must not be there yet
     * @param snap how many bytes of a frame are kept at most
     * @param count after how many frames it ends by itself
     * @throws io.manafold.api.refusal.Refusal {@code EEXIST}, {@code EACCES}, {@code ENOENT} …
     */
    CaptureStatus startCapture(Path file, int snap, long count);

    /** Ends a capture; its file is complete on return. */
    CaptureStatus stopCapture(Path file);

    /** Captures that no administrator has ended. */
    List<CaptureStatus> captures();
}
