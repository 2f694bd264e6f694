package io.manafold.shell.internal;

import java.io.ByteArrayInputStream;
import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Function;
import org.apache.felix.service.command.Process;

/** One of our commands as Gogo calls it from its own constructs: in closures, assignments and foreign sessions. */
final class GogoFunction implements Function {
    private final String name;
    private final CommandTable commands;

    GogoFunction(String name, CommandTable commands) {
        this.name = name;
        this.commands = commands;
    }

    @Override
    public Object execute(CommandSession gogo, List<Object> arguments) throws Exception {
        List<String> words = arguments == null ? List.of() : arguments.stream().map(String::valueOf).toList();
        Process process = Process.Utils.current();
        GogoSession session = gogo.get(GogoSession.SELF) instanceof GogoSession ours ? ours : null;
        boolean last = process == null || isLast(process);
        int width = session == null ? Streams.TERMINAL : session.width();
        Streams streams = process == null
                ? new Streams(new ByteArrayInputStream(new byte[0]), gogo.getConsole(), gogo.getConsole(), width)
                : new Streams(process.in(), process.out(), process.err(), last ? width : Streams.PIPE);
        Outcome outcome = Runner.run(commands, name, words, streams, session);
        if (outcome.status() == GogoSession.DONE) {
            return null;
        }
        if (last) {
            throw new CommandFailed(outcome);
        }
        GogoSession.tell(streams.err(), outcome);
        process.error(outcome.status());
        return null;
    }

    private static boolean isLast(Process process) {
        List<Process> pipe = process.job().processes();
        return pipe.isEmpty() || pipe.getLast() == process;
    }
}
