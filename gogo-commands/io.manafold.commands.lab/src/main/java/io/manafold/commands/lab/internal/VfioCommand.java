package io.manafold.commands.lab.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.adapter.Adapter;
import io.manafold.api.vfio.BorrowStatus;
import io.manafold.api.vfio.ExportStatus;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Fields;
import io.manafold.shell.FileNames;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Lends adapters to virtual machines, and borrows what other platforms lend. */
@Component(service = Command.class, property = Command.NAME + "=vfio")
public final class VfioCommand implements Command {
    private static final String SOCKET = "--socket";
    private static final String AS = "--as";
    private static final String EXPORT = "EXPORT";
    private static final String WHERE = "SOCKET";
    private static final String NAMED = "--name";
    private static final String ADDRESS = "--address";

    private final Topology topology;
    private final Entries entries;
    private final Predicate<Path> exists;

    @Activate
    public VfioCommand(@Reference Topology topology, @Reference Entries entries) {
        this(topology, entries, Files::exists);
    }

    VfioCommand(Topology topology, Entries entries, Predicate<Path> exists) {
        this.topology = topology;
        this.entries = entries;
        this.exists = exists;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("vfio", Words.FAMILY, "Lends adapters to virtual machines, and borrows")
                .about("A lent adapter is served over a socket. A virtual machine of QEMU 11.1 or later has it as a "
                        + "PCI device and drives it itself; another platform like this one borrows it and has it on "
                        + "its bus.")
                .verb(Syntax.verb("list", "Lists what is lent and what is borrowed, and whether it is in use").shows()
                        .example("vfio list", "sockets, and who is connected"))
                .verb(Syntax.verb("export", "Lends an adapter and prints what to paste for a virtual machine").shows()
                        .about("The line is complete but for your own disk or kernel, which are put behind it. An "
                                + "adapter that is lent already stays lent; its line is printed again.")
                        .option(SOCKET + " FILE", "the socket that the virtual machine connects to; made from the "
                                + "adapter's name if left out", Completer.FILES)
                        .option(AS + " PROGRAM", "whose words are printed: qemu, a line for a shell; libvirt, elements "
                                + "of a domain; cloud-hypervisor, a line, which was written after its manual and never "
                                + "tried, since that needs KVM; qemu if left out",
                                Completer.of(GuestDialect.words().toArray(String[]::new)))
                        .argument(Words.ADAPTER, Words.ADAPTER_HELP, topology.completeAdapters())
                        .example("vfio export one", "prints qemu-system-x86_64 and all it needs")
                        .example("vfio export one --as libvirt", "prints what 'virsh edit' takes"))
                .verb(Syntax.verb("remove", "Takes a lent adapter back")
                        .about("A virtual machine that has it sees it go.")
                        .argument(EXPORT, "the export's name, as 'vfio list' shows it", topology.completeExports())
                        .example("vfio export one; vfio remove one", "lent and back"))
                .verb(Syntax.verb("borrow", "Puts a function on the bus that another process lends over a socket")
                        .shows().about("It is driven here as if it were an adapter of this platform. When its lender "
                                + "leaves, it is off the bus; when it is lent again, it is back.")
                        .option(NAMED + " NAME", "what it is to be called; made from the socket's name if left out",
                                Completer.NONE)
                        .option(ADDRESS + " ADDRESS", "where it is to sit on the bus; the first free place of domain "
                                + "7871 if left out", Completer.NONE)
                        .argument(WHERE, "the socket at which it is lent", Completer.FILES)
                        .example("vfio borrow /run/manafold/one.sock", "on the bus as 'one'"))
                .verb(Syntax.verb("return", "Gives a borrowed function back")
                        .about("Its driver leaves it first.")
                        .argument(Words.NAME, "its name, as 'vfio list' shows it", topology.completeBorrowings())
                        .example("vfio return one", "its lender may lend it to others"))
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        switch (call.verb()) {
            case "list" -> VfioViews.list(call, topology.exports(), topology.borrowings(), this::objects);
            case "export" -> print(call, export(call));
            case "borrow" -> VfioViews.print(call, borrow(call));
            case "return" -> {
                String name = call.required(Words.NAME);
                entries.remove(Entries.Kind.BORROW, name, () -> topology.findBorrowing(name).isPresent());
            }
            default -> {
                String name = call.required(EXPORT);
                entries.remove(Entries.Kind.EXPORT, name, () -> topology.findExport(name).isPresent());
            }
        }
    }

    private Long objects(String adapter) {
        return topology.adapters().stream().filter(each -> each.name().equals(adapter)).findFirst()
                .map(Adapter::objectBytes).orElse(null);
    }

    private ExportStatus export(Call call) throws InterruptedException {
        call.option(AS).ifPresent(GuestDialect::of);
        String adapter = topology.adapter(call.required(Words.ADAPTER)).name();
        Optional<Path> socket = call.option(SOCKET).map(FileNames::absolute);
        Optional<ExportStatus> before = topology.exports().stream()
                .filter(export -> export.adapter().equals(adapter)).findFirst();
        if (before.isPresent()) {
            String name = before.get().name();
            entries.await(() -> topology.findExport(name).filter(VfioCommand::isUsable).isPresent());
            return same(topology.findExport(name).orElse(before.get()), socket);
        }
        Map<String, Object> contents = new TreeMap<>();
        contents.put("adapter", adapter);
        socket.ifPresent(file -> contents.put("socket", file.toString()));
        entries.add(Entries.Kind.EXPORT, adapter, contents,
                () -> topology.findExport(adapter).filter(ExportStatus::listening).isPresent(),
                () -> topology.findExport(adapter).map(ExportStatus::problems).orElse(List.of()));
        return topology.findExport(adapter).orElseThrow(() -> new Refusal(Errno.ENODEV,
                "Export '" + adapter + "' went as soon as it had come; 'events' may say why."));
    }

    private static ExportStatus same(ExportStatus export, Optional<Path> socket) {
        if (socket.isPresent() && !socket.get().equals(export.socket().toAbsolutePath().normalize())) {
            throw new Refusal(Errno.EEXIST, "Adapter '" + export.adapter() + "' is lent already, over "
                    + export.socket() + "; to lend it over another socket, first 'vfio remove " + export.name() + "'.");
        }
        if (!isUsable(export)) {
            throw new Refusal(Errno.EBUSY, "Export '" + export.name() + "' is there, but no guest can connect to it: "
                    + (export.problems().isEmpty() ? "'log' may say why." : String.join(" ", export.problems())));
        }
        return export;
    }

    private BorrowStatus borrow(Call call) throws InterruptedException {
        Path socket = FileNames.absolute(call.required(WHERE));
        String name = Words.name(call.option(NAMED).orElseGet(() -> nameOf(socket)));
        Map<String, Object> contents = new TreeMap<>(Map.of("socket", socket.toString()));
        if (!exists.test(socket)) {
            throw new Refusal(Errno.ENOENT, "There is no socket " + socket + ", so nothing is lent there; 'vfio list' "
                    + "of the platform that lends shows where its sockets are.");
        }
        call.option(ADDRESS).map(text -> UsageError.reading(text, PciAddress::parse)).ifPresent(address ->
                contents.put("address", topology.free(address, "the borrowed function " + name).toString()));
        entries.add(Entries.Kind.BORROW, name, contents,
                () -> topology.findBorrowing(name).filter(BorrowStatus::connected)
                        .filter(borrowing -> topology.isDevice(borrowing.address())).isPresent(),
                () -> topology.findBorrowing(name).map(BorrowStatus::problems).orElse(List.of()));
        BorrowStatus borrowed = topology.findBorrowing(name).orElseThrow(() -> new Refusal(Errno.ENODEV,
                "What was borrowed as '" + name + "' went as soon as it had come; 'events' may say why."));
        topology.awaitDriven(borrowed.address());
        return borrowed;
    }

    /** {@code one} for {@code /run/one.sock}. */
    private static String nameOf(Path socket) {
        Path last = socket.getFileName();
        String name = last == null ? "" : last.toString().replaceFirst("[.]sock$", "");
        try {
            return Words.name(name);
        } catch (UsageError unusable) {
            throw new UsageError("The socket's name '" + name + "' cannot be that of a function; say one with " + NAMED
                    + " NAME.");
        }
    }

    private static boolean isUsable(ExportStatus export) {
        return export.listening() || export.connected();
    }

    private static void print(Call call, ExportStatus export) {
        List<String> arguments = export.qemuArguments();
        String text = call.option(AS).map(GuestDialect::of).orElse(GuestDialect.QEMU).text(export);
        if (call.json()) {
            call.print(Fields.of("name", export.name()).and("adapter", export.adapter())
                    .and("socket", export.socket().toString()).and("command", QemuLine.single(arguments))
                    .and("program", QemuLine.PROGRAM).and("arguments", arguments)
                    .and("text", text));
        } else {
            call.out().println(text);
        }
    }
}
