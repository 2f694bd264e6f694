package io.manafold.doctor.internal.image;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.api.doctor.Survey;
import io.manafold.api.doctor.Survey.Answer;
import io.manafold.api.doctor.Survey.Verdict;
import io.manafold.doctor.internal.image.NetworkRules.Kind;
import io.manafold.doctor.internal.linux.Installed;
import io.manafold.doctor.internal.linux.ReadableEvidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Judges an image: which ways of using MANA its kernels, its libraries and its rules for network devices are fit for.
 */
public final class ImageAssessment {
    private static final int MOST_KERNELS = 32;
    private static final Pattern OLD_NAMES = Pattern.compile("\\bnet\\.ifnames=0\\b");

    private final ReadableEvidence image;
    private final ReadableEvidence network;
    private final List<InstalledKernel> kernels = new ArrayList<>();
    private final NetworkRules rules;

    private ImageAssessment(Evidence image) {
        this.image = new ReadableEvidence(image);
        network = new ReadableEvidence(image);
        Installed.kernels(this.image).stream().limit(MOST_KERNELS)
                .forEach(release -> kernels.add(new InstalledKernel(this.image, release)));
        rules = new NetworkRules(network);
    }

    public static Survey of(Evidence image) {
        ImageAssessment assessment = new ImageAssessment(image);
        Verdict alone = assessment.alone();
        Verdict pair = assessment.pair();
        Verdict servicing = assessment.servicing(pair);
        ReadableEvidence own = new ReadableEvidence(image);
        Verdict rdma = readable(new RdmaVerdicts(own, assessment.kernels).rdma(), assessment.image, own);
        Verdict dpdk = readable(new RdmaVerdicts(own, assessment.kernels).dpdk(rdma), assessment.image, own);
        return new Survey(assessment.kernels.stream().map(InstalledKernel::shown).toList(),
                List.of(readable(alone, assessment.image, assessment.network),
                readable(pair, assessment.image, assessment.network),
                readable(servicing, assessment.image, assessment.network), rdma, dpdk));
    }

    /** A yes is one of all files that it stands on: where some could not be read it is not shown. */
    private static Verdict readable(Verdict verdict, ReadableEvidence... evidence) {
        List<Finding.Line> unread = Stream.of(evidence).flatMap(one -> one.unread().stream()).toList();
        if (verdict.answer() != Answer.YES || unread.isEmpty()) {
            return verdict;
        }
        List<Finding.Line> lines = new ArrayList<>(unread);
        lines.addAll(verdict.evidence());
        return notShown(verdict.name(), "some of it cannot be read (look again as root); in the rest " + verdict.why(),
                lines.toArray(Finding.Line[]::new));
    }

    static Verdict yes(String name, String why, Finding.Line... evidence) {
        return new Verdict(name, Answer.YES, why, List.of(evidence));
    }

    static Verdict no(String name, String why, Finding.Line... evidence) {
        return new Verdict(name, Answer.NO, why, List.of(evidence));
    }

    static Verdict notShown(String name, String why, Finding.Line... evidence) {
        return new Verdict(name, Answer.NOT_SHOWN, why, List.of(evidence));
    }

    /** A no for want of a rule, which may be among those that could not be read. */
    private Verdict lacking(String name, String why, Finding.Line evidence) {
        if (network.isWhole()) {
            return no(name, why, evidence);
        }
        List<Finding.Line> lines = new ArrayList<>(network.unread());
        lines.add(evidence);
        return notShown(name, "some rules cannot be read (look again as root); in the rest " + why,
                lines.toArray(Finding.Line[]::new));
    }

    /** What keeps any way from working: the driver. */
    private Optional<Verdict> withoutDriver(String name) {
        if (kernels.isEmpty()) {
            return Optional.of(notShown(name, "no kernel is installed in it"));
        }
        for (InstalledKernel kernel : kernels) {
            if (kernel.ethernet.equals(InstalledKernel.NO)) {
                return Optional.of(no(name, "kernel " + kernel.release + " has no driver mana",
                        new Finding.Line("/lib/modules/" + kernel.release, "CONFIG_MICROSOFT_MANA: "
                        + kernel.facts.get("CONFIG_MICROSOFT_MANA"))));
            }
        }
        return ModuleBlocklist.of(image, "mana").map(line -> no(name, "the driver mana is kept from loading", line));
    }

    private Verdict alone() {
        String name = "function alone";
        Optional<Verdict> driver = withoutDriver(name);
        if (driver.isPresent()) {
            return driver.get();
        }
        Optional<Finding.Line> root = BootWords.rootOverNetwork(image);
        for (InstalledKernel kernel : kernels) {
            if (root.isPresent() && !kernel.inBoot) {
                String files = kernel.facts.getOrDefault("initial_files", InstalledKernel.NOT_SHOWN);
                Finding.Line seen = new Finding.Line("kernel " + kernel.release, "initial files: " + files);
                return files.endsWith("has no mana") ? no(name,
                        "its root is on the network, and the initial files have no driver mana", root.get(), seen)
                        : notShown(name, "its root is on the network, and what the initial files have is not shown",
                        root.get(), seen);
            }
        }
        Optional<Finding.Line> left = rules.of(Kind.LEAVES_MANA);
        if (left.isPresent()) {
            return no(name, "a rule leaves the function alone even if nothing is above it, so nothing gives it "
                    + "addresses", left.get());
        }
        boolean others = rules.of(Kind.ANY, Kind.MANA).isPresent();
        Optional<Finding.Line> synthetic = rules.of(Kind.SYNTHETIC);
        if (synthetic.isPresent() && !others) {
            return lacking(name, "only synthetic devices are given addresses", synthetic.get());
        }
        Optional<Finding.Line> eth0 = rules.of(Kind.ETH0);
        if (eth0.isPresent() && !others && rules.manager().isEmpty()
                && BootWords.with(image, OLD_NAMES.asPredicate()).isEmpty()) {
            return lacking(name, "only eth0 is given addresses, and the function has another name", eth0.get());
        }
        return yes(name, "every kernel has the driver, and no rule keeps the function from its addresses",
                driverLine());
    }

    private Finding.Line driverLine() {
        InstalledKernel kernel = kernels.getFirst();
        return new Finding.Line("kernel " + kernel.release, kernel.ethernet.equals("y") ? "CONFIG_MICROSOFT_MANA=y"
                : kernel.ethernet);
    }

    private Verdict pair() {
        String name = "pair";
        Optional<Verdict> without = withoutDriver(name);
        if (without.isPresent()) {
            return without.get();
        }
        Optional<Finding.Line> mana = rules.of(Kind.MANA);
        if (mana.isPresent()) {
            return no(name, "a rule gives addresses to the virtual function, which belong to the device above it",
                    mana.get());
        }
        Optional<Finding.Line> synthetic = rules.of(Kind.LEAVES_SYNTHETIC);
        if (synthetic.isPresent()) {
            return no(name, "a rule leaves the synthetic device alone, so nothing gives it addresses", synthetic.get());
        }
        Optional<Finding.Line> leaves = rules.of(Kind.LEAVES_SLAVES, Kind.LEAVES_MANA);
        Optional<Finding.Line> old = rules.of(Kind.LEAVES_OTHERS);
        if (leaves.isEmpty() && old.isPresent()) {
            return lacking(name, "a rule leaves virtual functions alone by their driver, and does not know mana",
                    old.get());
        }
        Optional<Finding.Line> manager = rules.manager();
        if (leaves.isEmpty() && manager.isPresent()) {
            return lacking(name, "NetworkManager takes virtual functions: no rule leaves them alone", manager.get());
        }
        Optional<Finding.Line> any = rules.of(Kind.ANY);
        if (leaves.isEmpty() && any.isPresent()) {
            return lacking(name, "a rule gives addresses to devices that may be virtual functions, and none leaves "
                    + "those alone", any.get());
        }
        for (InstalledKernel kernel : kernels) {
            String driver = kernel.facts.get("hv_netvsc");
            Finding.Line seen = new Finding.Line("kernel " + kernel.release, "hv_netvsc: " + driver);
            if (driver.equals(InstalledKernel.NO)) {
                return no(name, "kernel " + kernel.release + " has no driver for synthetic devices", seen);
            }
            if (driver.equals(InstalledKernel.NOT_SHOWN)) {
                return notShown(name, "whether kernel " + kernel.release
                        + " has a driver for synthetic devices is not shown", seen);
            }
        }
        Optional<Finding.Line> decided = leaves.isPresent() ? leaves : rules.of(Kind.SYNTHETIC, Kind.ETH0);
        return decided.map(line -> yes(name, "addresses are the synthetic device's alone", line, driverLine()))
                .orElseGet(() -> notShown(name, "no rule shows which devices are given addresses", driverLine()));
    }

    /** The function goes and comes back while the synthetic device carries on. */
    private Verdict servicing(Verdict pair) {
        String name = "servicing";
        Optional<Finding.Line> named = rules.of(Kind.NAMES_BY_ADDRESS);
        if (named.isPresent() && pair.answer() != Answer.NO) {
            return no(name, "a rule names devices by their address, which the function has from the device above it",
                    named.get());
        }
        return switch (pair.answer()) {
            case YES -> yes(name, "the synthetic device has the addresses while the function is away",
                    pair.evidence().toArray(Finding.Line[]::new));
            case NO -> no(name, "it needs the pair: " + pair.why(), pair.evidence().toArray(Finding.Line[]::new));
            case NOT_SHOWN -> notShown(name, "it needs the pair: " + pair.why(),
                    pair.evidence().toArray(Finding.Line[]::new));
        };
    }
}
