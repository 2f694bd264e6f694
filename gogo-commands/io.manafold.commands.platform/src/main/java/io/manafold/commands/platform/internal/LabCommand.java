package io.manafold.commands.platform.internal;

import io.manafold.api.lab.LabChange;
import io.manafold.api.lab.LabStatus;
import io.manafold.api.lab.Labs;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Fields;
import io.manafold.shell.PlainText;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import java.time.Duration;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Brings labs up and down, and shows them. */
@Component(service = Command.class, property = Command.NAME + "=lab")
public final class LabCommand implements Command {
    private static final String LAB = "LAB";
    private static final String DIFF = "--diff";
    private static final String FRESH = "--fresh";
    private static final String WAIT = "--wait";
    private static final int PATIENCE_SECONDS = 30;
    private static final int DAY_SECONDS = 86_400;

    private final Platform platform;

    @Activate
    public LabCommand(@Reference Platform platform) {
        this.platform = platform;
    }

    @Override
    public Syntax syntax() {
        Completer names = platform.labNames();
        return Syntax.command("lab", Words.FAMILY, "Brings topologies up and down, and shows them")
                .about("A lab is a YAML file that lists adapters, links and what else a topology is made of.")
                .verb(Syntax.verb("list", "Lists the labs that have a name").shows()
                        .example("lab list", "those that come with the platform, and those of its labs folder"))
                .verb(Syntax.verb("up", "Makes the platform look as a lab says, and waits until it does").shows()
                        .about("What is there already stays untouched: doing it twice changes nothing the second time. "
                                + "What was set by hand on a device comes back with it, until the file says something "
                                + "else of it.")
                        .option(WAIT + " SECONDS", "how long to wait for what the lab brings; 30 if left out",
                                Completer.NONE)
                        .flag(FRESH, "takes the lab down first and forgets what was set by hand on its devices")
                        .argument(LAB, "the lab's name, or a file", platform.labPaths())
                        .example("lab up --fresh default", "everything is as the file says")
                        .example("lab up default", "the lab that a platform starts with"))
                .verb(Syntax.verb("down", "Takes away what a lab brought, and waits until it is gone").shows()
                        .argument(LAB, "the lab's name", names)
                        .example("lab down default", "nothing is left of it"))
                .verb(Syntax.verb("show", "Shows a lab's file, or what bringing it up would change").shows()
                        .flag(DIFF, "shows what 'lab up' would do now, and what was set by hand")
                        .argument(LAB, "the lab's name, or a file", platform.labPaths())
                        .example("lab show default", "the file as it is written")
                        .example("lab show --diff default", "what is missing or different"))
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        Labs labs = platform.labs();
        switch (call.verb()) {
            case "list" -> call.print(list(labs.list()));
            case "up" -> up(call, labs);
            case "down" -> down(call, labs);
            default -> show(call, labs);
        }
    }

    private static Table list(List<LabStatus> labs) {
        Table table = new Table().column("NAME", "name").column("STATE", "up").column("ENTRIES", "entries")
                .column("SOURCE", "source").column("TITLE", "title");
        labs.forEach(lab -> table.row(lab.name(), new Table.Cell(lab.up() ? "up" : "down", lab.up()), lab.entries(),
                lab.source(), lab.title()));
        return table;
    }

    private static void up(Call call, Labs labs) throws InterruptedException {
        String lab = call.required(LAB);
        int patience = call.number(WAIT, 0, DAY_SECONDS).orElse(PATIENCE_SECONDS);
        if (call.flag(FRESH)) {
            labs.forget(lab, Duration.ofSeconds(patience));
        }
        call.print(changes(labs.up(lab)));
        call.out().flush();
        List<String> missing = labs.settle(Duration.ofSeconds(patience));
        if (!missing.isEmpty()) {
            throw new Refusal(Errno.ETIMEDOUT, "After " + patience + " s lab '" + lab + "' is not complete:\n  "
                    + String.join("\n  ", missing) + "\n'devices' and 'events' may say why.");
        }
    }

    private static void down(Call call, Labs labs) throws InterruptedException {
        String lab = call.required(LAB);
        call.print(changes(labs.down(lab)));
        call.out().flush();
        List<String> left = labs.settleGone(Duration.ofSeconds(PATIENCE_SECONDS));
        if (!left.isEmpty()) {
            throw new Refusal(Errno.ETIMEDOUT, "After " + PATIENCE_SECONDS + " s lab '" + lab + "' is not gone:\n  "
                    + String.join("\n  ", left));
        }
    }

    private static Table changes(List<LabChange> changes) {
        Table table = new Table().column("CHANGE", "change").column("SECTION", "section").column("NAME", "name")
                .column("DETAIL", "detail");
        changes.forEach(change -> table.row(change.kind(), change.section(), change.name(), change.detail()));
        return table;
    }

    private static void show(Call call, Labs labs) {
        String lab = call.required(LAB);
        if (call.flag(DIFF)) {
            call.print(changes(labs.diff(lab)));
        } else if (call.json()) {
            call.print(Fields.of("lab", lab).and("text", labs.text(lab)));
        } else {
            String text = PlainText.lines(labs.text(lab).replace("\r\n", "\n"));
            call.out().print(text.isEmpty() || text.endsWith("\n") ? text : text + "\n");
        }
    }
}
