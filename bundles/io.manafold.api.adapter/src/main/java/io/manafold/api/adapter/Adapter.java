package io.manafold.api.adapter;

import io.manafold.api.device.PciAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.osgi.annotation.versioning.ProviderType;

/** A software adapter as its administrator sees it. Any thread may call. */
@ProviderType
public interface Adapter {
    String name();

    PciAddress address();

    /** The month of the firmware it behaves like: {@code 2026-10}. */
    String firmware();

    /** {@code full} if drivers can have trees of shapers, {@code parity} if it has what Linux knows alone. */
    String shapers();

    /** Its RDMA, also if no port speaks it. */
    Rdma rdma();

    /** {@code idle} without a driver, {@code starting}, {@code running}, {@code revoked}, {@code failed}. */
    String state();

    List<PortStatus> ports();

    /** What it can do at most, by name, in the order to show it. */
    Map<String, Long> limits();

    /** What it holds at the moment, by name: queues, regions, keys, mapped bytes … */
    Map<String, Long> usage();

    /**
     * How much of the platform's memory is in what its driver has had it make; answers at once, whatever the driver
     * does.
     */
    long objectBytes();

    /** How many interrupt vectors there are, armed or not. */
    int vectors();

    /** How many interrupt vectors lead somewhere: those that a driver, or a virtual machine, has armed. */
    int armedVectors();

    /**
     * Name, release and build of the system that the driver runs on, as its handshake has told; empty without one.
     */
    Optional<String> driverSystem();

    /** What the driver has said in its handshake that it does when it is told to; empty without one. */
    Set<DriverFeature> driverFeatures();

    /** How many times a driver has begun with it: has made a hardware channel. Counts up for as long as it is there. */
    long sessions();

    /** The last message on the hardware channel; empty if there is no channel, or nothing has come through it. */
    Optional<ChannelMessage> lastMessage();

    /** What it refused last, the oldest first. */
    List<Rejection> rejections();

    /** Ends what it remembers of refusals. */
    void forgetRejections();

    /**
     * Asks the driver for a reset as the hardware does.
     *
     * @throws io.manafold.api.refusal.Refusal {@code ENODEV} if no driver is there to be asked, {@code EBUSY} if
     *         it has not taken note of many requests before
     */
    void requestReset(ResetKind kind);

    /** Takes the function off the bus as the host does for servicing. */
    void revoke();

    /** Puts a revoked function back, with the serial number that it had. */
    void restore();

    /**
     * Puts a revoked function back with another serial number, which synthetic devices do not know until
     * {@link #announce}.
     *
     * @param serial from 1
     */
    void restore(int serial);

    /** Number of the slot that the function is in: what a synthetic device knows its virtual function by. */
    int serial();

    /** The serial number that the host has told the synthetic devices of its ports. */
    int announced();

    /** Tells the synthetic devices of its ports the serial number that the function has. */
    void announce();

    /**
     * Waits until a driver of the function has come so far, since it took the function last.
     *
     * @return false if the time has passed
     */
    boolean await(Milestone milestone, Duration limit) throws InterruptedException;

    /** Has something go wrong. */
    void inject(Fault fault);

    /** Faults that are not spent, those of scripts as well. */
    List<Fault> faults();

    /**
     * Has faults happen one after the other, in place of a script of the same name.
     *
     * @param lines what {@code fault inject} takes, each with {@code after N answers}, {@code after TIME} and
     *        {@code every N}, the first perhaps {@code seed N}; a line may be empty, or a remark that begins with
     *        {@code #}
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} with the line that is wrong
     */
    void play(String script, List<String> lines);

    /** Those faults of scripts that are not spent, in the order of their lines. */
    List<ScriptedFault> scripted();

    /** What was done wrong on purpose, the latest last; so many of them as the adapter remembers. */
    List<FaultTrace> faultTraces();

    /** Takes the named fault back, or all that is left of the script of this name. */
    void clearFault(String name);

    /** What a driver comes to on its way up. */
    enum Milestone {
        /** It has posted buffers to a receive queue. */
        RECEIVES_POSTED,
        /** It has armed a completion queue. */
        COMPLETIONS_ARMED
    }

    /** What not every driver does. */
    enum DriverFeature {
        /** It takes note of links that go down and come back. */
        LINK_EVENTS,
        /** It resets itself when it is asked to: {@link ResetKind#RESET}. */
        SELF_RESET,
        /** It lets go of its function while that is reconfigured: {@link ResetKind#RECONFIGURE}. */
        RECONFIGURATION
    }

    /** How the adapter asks for a reset: the event it sends. */
    enum ResetKind {
        /** The driver is to reset itself. */
        RESET,
        /** The adapter is being reconfigured. */
        RECONFIGURE
    }
}
