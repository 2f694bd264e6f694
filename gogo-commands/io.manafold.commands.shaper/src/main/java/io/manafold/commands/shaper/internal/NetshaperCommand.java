package io.manafold.commands.shaper.internal;

import io.manafold.api.shaper.ShaperCall;
import io.manafold.api.shaper.Shapers;
import io.manafold.shell.Call;
import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import io.manafold.shell.Typed;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Limits what network devices send, in the words of iproute2. */
@Component(service = Command.class, property = Command.NAME + "=netshaper")
public final class NetshaperCommand implements Command {
    private static final String WORDS = "WORDS";
    private static final String DEVICE = "DEV";
    private static final String DEVICE_HELP = "a network device, of the platform or of the host";
    private static final String AT = "--at";
    private static final String AT_FORM = "[--at SOCKET] ";
    private static final String COUNT = "--count";
    private static final String EVERY = "--every";
    private static final int LONGEST = 3_600_000;
    private static final List<String> CHANGES = List.of("set", "delete", "group");

    private final Places places;

    @Activate
    public NetshaperCommand(@Reference Places places) {
        this.places = places;
    }

    @Override
    public Syntax syntax() {
        Completer devices = Completer.names(places::devices);
        Vocabulary words = places.vocabulary();
        String handle = "dev DEV handle scope {" + String.join("|", words.scopes()) + "} [id ID]";
        return Syntax.command("netshaper", "shaper", "Limits what network devices send")
                .about("Words and lines are those of iproute2's netshaper, JSON is that of the ynl tool. A name that "
                        + "is a device of the platform means that one; any other is an interface of the host's kernel. "
                        + "With --at it is one of the server that answers netlink behind a Unix socket: the kernel of "
                        + "a virtual machine in which a relay runs, or another platform, whose devices go by their "
                        + "numbers there.")
                .about("A RATE is a number with a unit: bit, kbit, mbit, gbit, tbit, or Bps for bytes, with ki, mi, "
                        + "gi, ti for powers of 1024; without one it is bit/s. What is counted is bytes, so a rate is "
                        + "cut to a multiple of 8 bit/s; one below 8 bit/s is refused, as it would be no limit. 0 "
                        + "takes a limit away. With metric pps rates and burst count packets, as in 5kpps.")
                .about("Of siblings those of the higher priority send first; those of the same share by their weights. "
                        + "What is set comes back with the device.")
                .verb(worded("set", words.summary("set"))
                        .form(AT_FORM + handle + " " + Vocabulary.form(words.values("set")))
                        .about(Vocabulary.meaning(words.values("set")))
                        .example("netshaper set dev mana0 handle scope netdev bw-max 500mbit", "the whole device")
                        .example("netshaper set dev mana0 handle scope queue id 0 bw-max 1gbit weight 3", "one queue"))
                .verb(worded("show", "Shows one shaper")
                        .form(AT_FORM + handle)
                        .example("netshaper show dev mana0 handle scope netdev", "as a line")
                        .example("netshaper show dev mana0 handle scope queue id 0 --json", "for programs"))
                .verb(worded("delete", words.summary("delete"))
                        .form(AT_FORM + handle)
                        .about("What it held goes on without limits of its own.")
                        .example("netshaper delete dev mana0 handle scope netdev", "the whole device is free"))
                .verb(worded("group", words.summary("group"))
                        .form(AT_FORM + "dev DEV handle scope {node|netdev} [id ID] [parent scope {netdev|node id ID}] "
                                + Vocabulary.form(words.values("group")) + " leaves scope queue id ID "
                                + Vocabulary.form(words.leafValues()) + " [scope queue id ID ...]")
                        .about("Without an id a node is made, and its id is the answer. A node that has nothing below "
                                + "it any more is deleted. Values mean what they mean to 'set'.")
                        .example("netshaper group dev mana1 handle scope node bw-max 5gbit leaves scope queue id 0 "
                                + "weight 3 scope queue id 1 weight 2", "two queues share 5 Gbit/s, three to two"))
                .verb(elsewhere(Syntax.verb("dump", "Shows all shapers of a device").shows())
                        .argument(DEVICE, DEVICE_HELP, devices)
                        .example("netshaper dump mana0", "a line for each")
                        .example("netshaper dump mana0 --json", "for programs"))
                .verb(elsewhere(Syntax.verb("caps", "Shows what a device can do for each scope").shows())
                        .argument(DEVICE, DEVICE_HELP, devices)
                        .example("netshaper caps mana0", "before you ask for it")
                        .example("netshaper caps mana0 --json", "for programs"))
                .verb(Syntax.verb("plan", "Shows what the driver would be told, and changes nothing").shows()
                        .form("{set|delete|group} WORDS")
                        .repeated(WORDS, "a change, as it would be typed", typed -> candidates("plan", typed))
                        .example("netshaper plan set dev mana0 handle scope netdev bw-max 500mbit",
                                "one line for each call")
                        .example("netshaper plan group dev mana1 handle scope node leaves scope queue id 0 --json",
                                "for programs"))
                .verb(Syntax.verb("watch", "Shows what shapers let pass, and when one becomes another").shows()
                        .about("Measured is what passed since the last look, used how much that is of the target, held "
                                + "how much of that time something had to wait for this limit, queued what waits in "
                                + "the rings below it: units of 32 bytes of requests, one for a frame of one piece, up "
                                + "to sixteen for a large send. Behind that are the last rates. A device without a "
                                + "shaper is shown as a whole. What an administrator sets or takes away, wherever, is "
                                + "a line when it happens. A terminal shows each look in the place of the one before.")
                        .option(COUNT + " N", "how many times; without end if left out", Completer.NONE)
                        .option(EVERY + " MILLIS", "the time between two looks; 1000 if left out", Completer.NONE)
                        .argument(DEVICE, DEVICE_HELP, devices)
                        .example("netshaper watch mana0 --count 3", "three times, a second between them")
                        .example("netshaper watch mana0 --count 1 --json", "for programs, a line for each shaper"))
                .build();
    }

    private Syntax.Builder worded(String verb, String summary) {
        return elsewhere(Syntax.verb(verb, summary).shows())
                .repeated(WORDS, "in any order, each with its value", typed -> candidates(verb, typed));
    }

    private static Syntax.Builder elsewhere(Syntax.Builder verb) {
        return verb.option(AT + " SOCKET", "the Unix socket behind which the device is", Completer.FILES);
    }

    private List<Candidate> candidates(String verb, Typed typed) {
        List<String> words = new ArrayList<>(typed.words());
        if (!words.isEmpty() && words.getFirst().equals(verb)) {
            words.removeFirst();
        }
        String change = verb;
        if (verb.equals("plan")) {
            if (words.isEmpty()) {
                return CHANGES.stream().map(one -> new Candidate(one, "", true)).toList();
            }
            change = words.removeFirst();
        }
        if (!words.isEmpty() && words.getLast().equals("dev")) {
            return places.devices().stream().map(name -> new Candidate(name, "", true)).toList();
        }
        return Request.following(places.vocabulary(), change, words).stream().map(word -> new Candidate(word, "", true))
                .toList();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        places.check();
        switch (call.verb()) {
            case "dump" -> {
                Shapers place = place(call, call.required(DEVICE));
                View.dump(call, places.vocabulary().shown(),
                        place.dump("get", Map.of("ifindex", place.index(call.required(DEVICE)))));
            }
            case "caps" -> {
                Shapers place = place(call, call.required(DEVICE));
                View.capabilities(call, place.dump("cap-get", Map.of("ifindex", place.index(call.required(DEVICE)))));
            }
            case "watch" -> watch(call);
            case "plan" -> plan(call, call.arguments(WORDS));
            default -> carryOut(call, Request.read(places.vocabulary(), call.verb(), call.arguments(WORDS)));
        }
    }

    private Shapers place(Call call, String device) {
        return call.option(AT).map(places::at).orElseGet(() -> places.of(device));
    }

    private void carryOut(Call call, Request request) {
        Shapers place = place(call, request.device());
        String operation = call.verb().equals("show") ? "get" : call.verb();
        Map<String, Object> reply = place.perform(operation, request.attributes(place.index(request.device())));
        if (call.json()) {
            if (reply.isEmpty()) {
                call.out().println("null");
            } else {
                call.print(View.fields(reply));
            }
        } else if (!reply.isEmpty()) {
            call.out().println(View.line(request.device(), reply));
        }
    }

    private void plan(Call call, List<String> words) {
        if (words.isEmpty() || !CHANGES.contains(words.getFirst())) {
            throw new UsageError("netshaper plan needs to know what would be done: " + Vocabulary.either(CHANGES)
                    + ", with the words that belong to it, as in 'netshaper plan delete dev mana0 handle scope "
                    + "netdev'.");
        }
        Request request = Request.read(places.vocabulary(), words.getFirst(), words.subList(1, words.size()));
        Shapers place = places.of(request.device());
        List<ShaperCall> calls = place.plan(words.getFirst(), request.attributes(place.index(request.device())));
        if (call.json()) {
            call.print(calls.stream().map(Wording::fields).toList());
        } else {
            calls.stream().map(Wording::line).forEach(call.out()::println);
        }
    }

    private void watch(Call call) throws InterruptedException {
        String device = call.required(DEVICE);
        int count = call.number(COUNT, 1, Integer.MAX_VALUE).orElse(0);
        int millis = call.number(EVERY, 10, LONGEST).orElse(1000);
        Shapers place = places.of(device);
        boolean own = place.place().equals("platform");
        new Watching(place, device, place.index(device), System::nanoTime, () -> own ? places.traffic(device) : null)
                .run(call, count, millis);
    }
}
