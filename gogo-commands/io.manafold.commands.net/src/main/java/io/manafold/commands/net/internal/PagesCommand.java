package io.manafold.commands.net.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PagePlan;
import io.manafold.api.net.PagePlanner;
import io.manafold.api.net.PoolStatus;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Shows where every page of the receive pools is, and reckons how buffers lie in pages. */
@Component(service = Command.class, property = Command.NAME + "=pages")
public final class PagesCommand implements Command {
    private static final String POLICY = "--policy";
    private static final String PAGE = "--page";
    private static final String MTU = "--mtu";
    private static final String MAPPING = "--mapping";
    private static final String HOOK = "--hook";
    private static final String STATISTICS = "--statistics";
    private static final int USUAL_MTU = 1500;
    private static final int LARGEST_MTU = 65_535;
    private static final List<String> POLICIES = Stream.of(ReceivePolicy.values()).map(ReceivePolicy::word).toList();
    private static final List<String> MAPPINGS = Stream.of(ReceiveMapping.values()).map(ReceiveMapping::word).toList();
    private static final Map<String, Integer> SIZES = Map.of("4k", 4096, "16k", 16_384, "64k", 65_536);

    /**
     * What becomes of a policy.
     *
     * @param plan {@code null} if there is none
     * @param refusal why there is none, a sentence
     */
    record Outlook(ReceivePolicy policy, PagePlan plan, String refusal) {
    }

    private final Network network;

    @Activate
    public PagesCommand(@Reference Network network) {
        this.network = network;
    }

    @Override
    public Syntax syntax() {
        Completer devices = network.completeDevices();
        return Syntax.command("pages", Words.FAMILY, "Shows the pages of receive pools, and how buffers lie in them")
                .about("A policy says how receive buffers are cut from pages: 'page' gives each a page of its own, "
                        + "'fragment' and 'fragment-headroom' share pages as Linux does without and with room for "
                        + "headers, 'lean' shares them with headroom and nothing else.")
                .usually("list")
                .verb(Syntax.verb("list", "Shows where every page of every receive pool is").shows()
                        .flag(STATISTICS + " -s",
                                "what the pools have done instead, by the names of page_pool's counters")
                        .optional(Words.DEVICE, Words.DEVICE_HELP, devices)
                        .example("pages", "pages of all devices; what is held, is with whom")
                        .example("pages list mana0 -s", "recycled, taken, refilled"))
                .verb(Syntax.verb("blocks", "Shows the shared blocks of memory and who holds them").shows()
                        .about("A block can be lent to several functions at once. It goes when its last holder lets "
                                + "go.")
                        .example("pages blocks", "name, size, holders and how often each holds it")
                        .example("pages blocks --json", "for programs"))
                .verb(size(Syntax.verb("compare", "Compares the policies").shows())
                        .example("pages compare --page 64k --mtu 1500", "64 KiB pages are where it matters")
                        .example("pages compare --hook", "a hook takes a page of its own, but for 'lean'"))
                .verb(policy(size(Syntax.verb("plan", "Reckons how one policy lays out buffers").shows()))
                        .example("pages plan --policy lean --page 4k --mtu 1500", "two to a page, with headroom")
                        .example("pages plan --policy fragment --page 64k --mtu 9000 --json", "for programs"))
                .verb(page(policy(Syntax.verb("set", "Changes the receive pages of a device, under traffic too")))
                        .about("What is not named stays as it is. Pages are mapped for the adapter with all memory of "
                                + "the driver (arena), once each (page), or for each packet anew, as far as it reaches "
                                + "(packet) or all of its page (whole-page): that costs what it costs where a unit "
                                + "with 4 KiB entries checks all accesses.")
                        .option(MAPPING + " WHEN", String.join(", ", MAPPINGS),
                                Completer.of(MAPPINGS.toArray(String[]::new)))
                        .argument(Words.DEVICE, Words.DEVICE_HELP, devices)
                        .example("pages set mana0 --policy page --mapping packet", "as before there were page pools")
                        .example("pages set mana0 --policy lean --page 64k", "36 buffers to a page at MTU 1500"))
                .build();
    }

    private static Syntax.Builder policy(Syntax.Builder verb) {
        return verb.option(POLICY + " POLICY", String.join(", ", POLICIES),
                Completer.of(POLICIES.toArray(String[]::new)));
    }

    private static Syntax.Builder page(Syntax.Builder verb) {
        return verb.option(PAGE + " SIZE", "size of a page: 4k, 16k or 64k", Completer.of("4k", "16k", "64k"));
    }

    private static Syntax.Builder size(Syntax.Builder verb) {
        return page(verb).option(MTU + " BYTES", "1500 if left out", Completer.NONE)
                .flag(HOOK, "as it is with a receive hook in place");
    }

    @Override
    public void run(Call call) {
        switch (call.verb()) {
            case "list" -> {
                List<NetDevice> devices = call.argument(Words.DEVICE).map(name -> List.of(network.device(name)))
                        .orElseGet(network::devices);
                List<PoolStatus> pools = devices.stream().flatMap(device -> device.pools().stream()).toList();
                PagesView.pools(call, pools, call.flag(STATISTICS));
            }
            case "blocks" -> PagesView.blocks(call, network.blocks());
            case "compare" -> PagesView.comparison(call, Stream.of(ReceivePolicy.values())
                    .map(policy -> outlook(call, policy)).toList(), base(call));
            case "plan" -> {
                ReceivePolicy policy = call.option(POLICY).map(PagesCommand::policy).orElse(ReceivePolicy.LEAN);
                PagesView.plan(call, plan(call, policy, call.flag(HOOK)), base(call));
            }
            default -> set(call, network.device(call.required(Words.DEVICE)));
        }
    }

    /** What a policy comes to, or why it does not: with a hook some have no room for a packet. */
    private Outlook outlook(Call call, ReceivePolicy policy) {
        try {
            return new Outlook(policy, plan(call, policy, call.flag(HOOK)), null);
        } catch (Refusal refused) {
            if (refused.errno() != Errno.EOPNOTSUPP) {
                throw refused;
            }
            return new Outlook(policy, null, refused.getMessage());
        }
    }

    /** What is compared with: a page for each packet, without the hook if it cannot be with it. */
    private PagePlan base(Call call) {
        PagePlan hooked = outlook(call, ReceivePolicy.PAGE).plan();
        return hooked != null ? hooked : plan(call, ReceivePolicy.PAGE, false);
    }

    private PagePlan plan(Call call, ReceivePolicy policy, boolean hooked) {
        int page = call.option(PAGE).map(PagesCommand::page).orElse(4096);
        int mtu = call.number(MTU, 0, LARGEST_MTU).orElse(USUAL_MTU);
        PagePlanner planner = network.planner();
        return planner.plan(policy, page, mtu, hooked);
    }

    private static void set(Call call, NetDevice device) {
        if (!call.flag(POLICY) && !call.flag(PAGE) && !call.flag(MAPPING)) {
            throw new UsageError("pages set needs to know what to set: " + POLICY + ", " + PAGE + " or " + MAPPING
                    + ".");
        }
        device.setPages(call.option(POLICY).map(PagesCommand::policy).orElseGet(device::policy),
                call.option(PAGE).map(PagesCommand::page).orElseGet(device::pageSize),
                call.option(MAPPING).map(PagesCommand::mapping).orElseGet(device::mapping));
    }

    private static ReceivePolicy policy(String word) {
        return Stream.of(ReceivePolicy.values()).filter(policy -> policy.word().equals(word)).findFirst()
                .orElseThrow(() -> UsageError.unknown("policy", word, POLICIES));
    }

    private static ReceiveMapping mapping(String word) {
        return Stream.of(ReceiveMapping.values()).filter(mapping -> mapping.word().equals(word)).findFirst()
                .orElseThrow(() -> UsageError.unknown("mapping", word, MAPPINGS));
    }

    private static int page(String text) {
        String size = text.toLowerCase(Locale.ROOT).replaceFirst("(ib|b)$", "");
        return SIZES.entrySet().stream()
                .filter(one -> one.getKey().equals(size) || one.getValue().toString().equals(size)).findFirst()
                .map(Map.Entry::getValue).orElseThrow(() -> new UsageError(
                        PAGE + " is 4k, 16k or 64k, not '" + text + "'."));
    }
}
