package io.manafold.shell.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Session;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import io.manafold.shell.UsageError;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.felix.gogo.jline.Posix;
import org.apache.felix.gogo.jline.Procedural;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.gogo.runtime.threadio.ThreadIOImpl;

/** A session over a real Gogo, without a framework. */
final class GogoFixture implements AutoCloseable {
    final CommandTable commands = new CommandTable();
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final ByteArrayOutputStream err = new ByteArrayOutputStream();
    final CountDownLatch waiting = new CountDownLatch(1);
    final CountDownLatch left = new CountDownLatch(1);
    final CommandProcessorImpl processor;
    final Session session;
    /** One for all tests: a pipe's thread that ends late puts the streams of the one it knows back in place. */
    private static final ThreadIOImpl THREAD_IO = new ThreadIOImpl();

    static {
        THREAD_IO.start();
    }

    GogoFixture() {
        processor = new CommandProcessorImpl(THREAD_IO);
        Posix posix = new Posix(processor);
        for (String name : List.of("grep", "cat", "echo", "head")) {
            processor.addCommand("gogo", posix, name);
        }
        Procedural procedural = new Procedural();
        for (String name : List.of("each", "if", "try", "throw")) {
            processor.addCommand("gogo", procedural, name);
        }
        add(new HelpCommand("help", commands));
        add(new ExitCommand("exit"));
        add(new ExitCommand("quit"));
        addFakes();
        session = new GogoShell(processor, commands).open(new ByteArrayInputStream(new byte[0]),
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private void addFakes() {
        add("say", call -> call.words().forEach(call.out()::println));
        add("refuse", call -> {
            throw new Refusal(Errno.ENODEV, "There is no device 'x'.");
        });
        add("misuse", call -> {
            throw new UsageError("That makes no sense.");
        });
        add("crash", call -> {
            throw new IllegalStateException("seven of nine");
        });
        add("explode", call -> {
            throw new StackOverflowError();
        });
        add("linger", call -> {
            waiting.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                left.countDown();
            }
        });
        add(new FakeCommand(Syntax.command("list", "test", "Lists").shows().flag("-e, --empty", "nothing")
                .example("list", "all").build(), call -> {
                    Table table = new Table().column("NAME", "name").column("COUNT", "count");
                    if (!call.flag("--empty")) {
                        table.row("one", 1).row("two", 22);
                    }
                    call.print(table);
                }));
    }

    void add(String name, FakeCommand.Body body) {
        add(new FakeCommand(Syntax.command(name, "test", "Does " + name).raw(Completer.NONE).example(name, "it")
                .build(),
                body));
    }

    void add(Command command) {
        CommandTable.Place place = commands.add(command, command.syntax());
        processor.addCommand("manafold", new GogoFunction(place.name(), commands), place.name());
    }

    int run(String line) {
        out.reset();
        err.reset();
        return session.execute(line);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        session.close();
        processor.stop();
    }
}
