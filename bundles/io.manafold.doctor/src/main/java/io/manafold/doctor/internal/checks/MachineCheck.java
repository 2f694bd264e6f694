package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Application;
import io.manafold.doctor.internal.linux.Applications;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.ReadableEvidence;
import java.util.List;
import java.util.regex.Pattern;

/** A check of the platform's own: looks at evidence as a machine. */
abstract class MachineCheck implements Check {
    static final Finding IMAGE = Finding.skipped("an image that does not run shows nothing of it");
    static final Finding NO_APPLICATION = Finding.skipped("no poll-mode application is known; name its line with --eal "
            + "'LINE'");
    static final Finding PLATFORM = Finding.skipped("this platform has no such thing");

    /** The driver's name in a text, which also has words like manager and unmanaged. */
    static final Pattern MANA = Pattern.compile("\\bmana(?:_ib)?\\b");

    private final String id;
    private final String name;
    private final List<String> needs;
    private final String about;

    MachineCheck(int id, String name, List<String> needs, String about) {
        this.id = String.valueOf(id);
        this.name = name;
        this.needs = needs;
        this.about = about.strip();
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> needs() {
        return needs;
    }

    @Override
    public String about() {
        return about;
    }

    @Override
    public Finding examine(Evidence evidence) {
        ReadableEvidence readable = new ReadableEvidence(evidence);
        return readable.told(examine(new Machine(readable)));
    }

    abstract Finding examine(Machine machine);

    static List<Application> applications(Machine machine) {
        return Applications.of(machine.evidence());
    }
}
