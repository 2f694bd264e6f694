package io.manafold.vfio.internal.borrow;

import io.manafold.api.device.Bar;
import io.manafold.api.device.DmaSpace;
import io.manafold.api.device.Interrupts;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.PciId;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixSocket;
import io.manafold.vfio.internal.protocol.VfioUser;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A function that another process lends. To its driver it is as any other; when the other side leaves, falls silent or
 * says what cannot be, it is gone, as one that was pulled out.
 */
public final class BorrowedFunction implements PciFunction, AutoCloseable {
    private static final Duration LEAVING = Duration.ofSeconds(2);

    private final PciAddress address;
    private final Conversation talk;
    private final DeviceInfo info;
    private final List<Bar> bars;
    private final BorrowedMemory memory;
    private final BorrowedVectors vectors;

    private BorrowedFunction(String name, PciAddress address, Conversation talk, DeviceInfo info)
            throws SystemCallException {
        this.address = address;
        this.talk = talk;
        this.info = info;
        bars = info.windows().stream().map(window -> (Bar) new BorrowedBar(talk, window)).toList();
        memory = new BorrowedMemory(talk);
        vectors = new BorrowedVectors(name, talk, info.vectors());
    }

    /**
     * Connects, and asks for all there is to know. The function is as after power-on.
     *
     * @param patience how long any answer may take
     * @param onGone called once when the function has gone, on a thread of its own, by {@link #close} as well
     * @throws Refusal with the reason; nothing is left behind then
     */
    public static BorrowedFunction borrow(String name, PciAddress address, Path socket, Duration patience,
            Runnable onGone) {
        Conversation talk = null;
        try {
            talk = new Conversation(name, UnixSocket.connect(socket, patience.toMillis()), patience, onGone);
            talk.begin();
            BorrowedFunction function = new BorrowedFunction(name, address, talk, DeviceInfo.ask(talk));
            function.reset();
            return function;
        } catch (LenderGoneException gone) {
            throw new Refusal(gone.errno(), nothing(socket) + gone.getMessage() + ".");
        } catch (Refusal refused) {
            leave(talk);
            throw new Refusal(refused.errno(), nothing(socket) + (refused.errno() == Errno.EBUSY
                    ? "another borrower has the function" : refused.getMessage()) + ".", refused);
        } catch (IOException failed) {
            leave(talk);
            throw new Refusal(Errno.EIO, nothing(socket) + failed.getMessage() + ".", failed);
        }
    }

    private static String nothing(Path socket) {
        return "Nothing can be borrowed at " + socket + ": ";
    }

    private static void leave(Conversation talk) {
        if (talk != null) {
            talk.end(Errno.ENODEV, "it was returned");
        }
    }

    /** Why the function is gone, as a clause, or {@code null} as long as it is not. */
    public String departure() {
        LenderGoneException lenderGone = talk.lenderGone();
        return lenderGone == null ? null : lenderGone.getMessage();
    }

    @Override
    public PciAddress address() {
        return address;
    }

    @Override
    public PciId identity() {
        return info.identity();
    }

    @Override
    public int configSize() {
        return info.configSize();
    }

    private boolean isConfig(int offset, int width) {
        return (width == 1 || width == 2 || width == 4) && offset >= 0 && offset <= info.configSize() - width
                && offset % width == 0;
    }

    @Override
    public int readConfig(int offset, int width) {
        int ones = -1 >>> 32 - 8 * Math.clamp(width, 1, 4);
        return isConfig(offset, width)
                ? (int) Registers.read(talk, VfioUser.REGION_CONFIG, offset, width) & ones : ones;
    }

    @Override
    public void writeConfig(int offset, int width, int value) {
        if (isConfig(offset, width)) {
            Registers.write(talk, VfioUser.REGION_CONFIG, offset, width, value);
        }
    }

    @Override
    public List<Bar> bars() {
        return bars;
    }

    @Override
    public Interrupts interrupts() {
        return vectors;
    }

    @Override
    public DmaSpace dma() {
        return memory;
    }

    /** One that does not reset the function when told to must not have it: with the connection it ends for good. */
    @Override
    public void reset() {
        try {
            talk.ask(new RequestBuilder(VfioUser.RESET, 0), 0, 0);
            vectors.forget();
        } catch (LenderGoneException gone) {
            // there is nothing to be reset any more
            return;
        } catch (Refusal refused) {
            talk.end(refused.errno(), "it does not reset the function: " + refused.getMessage());
        }
    }

    /** Gives it back, whatever it is doing. */
    @Override
    public void close() {
        leave(talk);
        talk.join(LEAVING);
        vectors.close();
    }
}
