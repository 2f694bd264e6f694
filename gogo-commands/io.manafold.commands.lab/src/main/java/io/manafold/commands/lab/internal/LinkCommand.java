package io.manafold.commands.lab.internal;

import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Syntax;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Shows what ports are plugged into, changes it, and makes it bad on purpose. */
@Component(service = Command.class, property = Command.NAME + "=link")
public final class LinkCommand implements Command {
    private final Topology topology;
    private final Entries entries;
    private final LinkOptions options;

    @Activate
    public LinkCommand(@Reference Topology topology, @Reference Entries entries) {
        this.topology = topology;
        this.entries = entries;
        this.options = new LinkOptions(topology);
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("link", Words.FAMILY, "Shows what ports are plugged into, and makes links bad on purpose")
                .verb(Syntax.verb("list", "Lists the links").shows()
                        .example("link list", "their ports, and what is done to frames"))
                .verb(Syntax.verb("show", "Shows a link, its ports, its counters and who was heard where").shows()
                        .argument(Words.LINK, Words.LINK_HELP, topology.completeLinks())
                        .example("link show net", "the switch of the default lab"))
                .verb(LinkOptions.describeChange(Syntax.verb("impair", "Changes what a link does to frames"))
                        .about("What is not named stays as it is.")
                        .argument(Words.LINK, Words.LINK_HELP, topology.completeLinks())
                        .example("link impair net --loss 1% --delay 2ms --seed 7", "the same frames are lost each time")
                        .example("link impair net --match opcode=write-first --drop --once",
                                "one packet of one kind is lost")
                        .example("link impair net --clear", "a good link again"))
                .verb(options.describeNew(Syntax.verb("add", "Makes a link between ports"))
                        .example("adapter add left; adapter add right; link add cable left/1 right/1 --kind direct",
                                "two adapters with a cable between them"))
                .verb(Syntax.verb("remove", "Takes a link away")
                        .argument(Words.LINK, Words.LINK_HELP, topology.completeLinks())
                        .example("adapter add lone; link add stub lone/1; link remove stub", "here and gone"))
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        switch (call.verb()) {
            case "list" -> call.print(LinkViews.list(topology.links()));
            case "show" -> LinkViews.show(call, topology.link(call.required(Words.LINK)).status());
            case "impair" -> LinkOptions.change(call, topology.link(call.required(Words.LINK)));
            case "add" -> {
                String name = Words.name(call.required(Words.NAME));
                Map<String, Object> contents = options.read(call);
                entries.add(Entries.Kind.LINK, name, contents, isThere(name),
                        () -> topology.findLink(name).map(link -> link.status().problems()).orElse(List.of()));
                // a port comes by itself, a moment after the link; one that is elsewhere stays there
                entries.await(() -> topology.isJoined(name));
            }
            default -> {
                String name = call.required(Words.LINK);
                entries.remove(Entries.Kind.LINK, name, isThere(name));
            }
        }
    }

    private BooleanSupplier isThere(String name) {
        return () -> topology.findLink(name).isPresent();
    }
}
