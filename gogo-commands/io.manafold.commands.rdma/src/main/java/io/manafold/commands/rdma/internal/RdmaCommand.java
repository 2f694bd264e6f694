package io.manafold.commands.rdma.internal;

import io.manafold.shell.Call;
import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Missing;
import io.manafold.shell.Syntax;
import io.manafold.shell.Typed;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Shows RDMA devices, their ports and what was made of them, as people know it. */
@Component(service = Command.class, property = Command.NAME + "=rdma")
public final class RdmaCommand implements Command {
    private static final List<String> OBJECTS = List.of("dev", "link", "resource", "statistic");
    private static final List<String> SHOWS = List.of("show", "list");
    private static final List<String> DETAILS = List.of("-d", "-details");
    private static final List<String> PRETTY = List.of("-p", "-pretty");

    private final Devices devices;
    private final RdmaLinks links;
    private final RdmaResources resources;
    private final PairCounters counters;

    @Activate
    public RdmaCommand(@Reference Devices devices) {
        this.devices = devices;
        links = new RdmaLinks(devices);
        resources = new RdmaResources(devices);
        counters = new PairCounters(devices);
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("rdma", Words.FAMILY, "Shows RDMA devices, their ports and what was made of them")
                .about("Words, labels and JSON keys are those of iproute2's tool of this name; objects may be cut "
                        + "short as there, so 'rdma res' shows resources. What belongs to a bundle is shown as there "
                        + "what belongs to the kernel: 'comm' is its name. Keys of memory are not shown.")
                .about("'rdma statistic qp' has what the driver has counted of the queue pairs of this platform: "
                        + "requests that the other end has acknowledged (tx_send_requests, tx_write_requests, "
                        + "tx_read_requests), messages received (rx_send_requests), and work that came back with an "
                        + "error or flushed (req_cqe_error, resp_cqe_error). The device itself counts by port.")
                .shows("-j", "-json").raw(this::candidates)
                .form("[-d] dev [show] [DEV]")
                .form("[-d] link [show] [DEV/PORT]")
                .form("resource [show] [DEV]")
                .form("resource show {qp|cm_id} [link DEV/PORT] [NAME VALUE ...]")
                .form("resource show {cq|mr|pd} [dev DEV] [NAME VALUE ...]")
                .form("statistic [show] [link DEV/PORT]")
                .form("statistic qp [show] [link DEV/PORT] [cntn N] [lqpn N]")
                .flag("-d, -details", "with more about each")
                .example("rdma dev", "all devices")
                .example("rdma link show mana_0/1", "a port, and the network device of it")
                .example("rdma res", "how many of everything there are")
                .example("rdma resource show qp link mana_0 state RTS", "queue pairs that send")
                .example("rdma statistic show link mana_0/1", "what has been counted")
                .example("rdma statistic qp show link mana_0/1", "the same for each queue pair")
                .example("rdma link --json", "for programs")
                .build();
    }

    @Override
    public void run(Call call) {
        List<String> words = new ArrayList<>(call.words());
        boolean details = words.removeIf(DETAILS::contains);
        words.removeIf(PRETTY::contains);
        words.stream().filter(word -> word.startsWith("-")).findFirst().ifPresent(word -> {
            throw new UsageError("rdma has no option '" + word + "'; 'help rdma' says what there is.");
        });
        if (words.isEmpty()) {
            throw new UsageError("rdma needs to know what it is about: " + String.join(", ", OBJECTS) + ".");
        }
        List<ObjectLine> lines = lines(meant("object of rdma", words.removeFirst()), words, details);
        if (call.json()) {
            call.print(lines.stream().map(ObjectLine::fields).toList());
        } else {
            lines.forEach(call.out()::println);
        }
    }

    private static String meant(String what, String word) {
        return OBJECTS.stream().filter(object -> object.startsWith(word)).findFirst()
                .orElseThrow(() -> new UsageError("There is no " + what + " '" + word + "'"
                        + Missing.instead(word, OBJECTS)));
    }

    private List<ObjectLine> lines(String object, List<String> words, boolean details) {
        boolean pairs = object.equals("statistic") && !words.isEmpty() && words.getFirst().equals("qp");
        if (pairs) {
            words.removeFirst();
        }
        if (!words.isEmpty() && SHOWS.contains(words.getFirst())) {
            words.removeFirst();
        }
        switch (object) {
            case "dev" -> {
                return links.devices(words, details);
            }
            case "link" -> {
                return links.ports(words, details);
            }
            case "statistic" -> {
                return pairs ? counters.show(words) : links.statistics(words);
            }
            default -> {
                return !words.isEmpty() && RdmaResources.KINDS.contains(words.getFirst())
                        ? resources.show(words.removeFirst(), words) : links.summary(words);
            }
        }
    }

    private List<Candidate> candidates(Typed typed) {
        List<String> words = typed.words().stream().filter(word -> !word.startsWith("-")).toList();
        Stream<String> next;
        if (words.isEmpty()) {
            next = OBJECTS.stream();
        } else if (words.size() == 1) {
            next = Stream.concat(Stream.of("show"), names());
        } else if (words.getLast().equals("show") && "resource".startsWith(words.getFirst())) {
            next = Stream.concat(RdmaResources.KINDS.stream(), names());
        } else {
            next = Stream.concat(Stream.of("dev", "link"), names());
        }
        return next.map(word -> new Candidate(word, "", true)).toList();
    }

    private Stream<String> names() {
        return devices.all().stream().map(device -> device.name());
    }
}
