package io.manafold.doctor.internal;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Doctor;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.EvidenceReader;
import io.manafold.api.doctor.HelperMachine;
import io.manafold.api.doctor.Survey;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.doctor.internal.image.ImageAssessment;
import io.manafold.doctor.internal.linux.Applications;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.FieldOption;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** The doctor: evidence from wherever it is, and every check that there is. */
@Component
public final class DoctorService implements Doctor {
    private static final Duration TIME = Duration.ofSeconds(2);
    private static final Duration IMAGE_TIME = Duration.ofSeconds(60);
    private static final int LONGEST_LINE = 8192;

    private final Examination examination = new Examination(TIME);
    private final LimitedSurvey survey = new LimitedSurvey(IMAGE_TIME, ImageAssessment::of);
    private final Platform platform;
    private final EvidenceReader reader;

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE,
            fieldOption = FieldOption.REPLACE)
    private volatile List<Check> checks = List.of();

    @Activate
    public DoctorService(BundleContext context, @Reference EvidenceReader reader) {
        platform = new Platform(context);
        this.reader = reader;
    }

    @Override
    public List<Check> checks() {
        return Examination.sorted(checks);
    }

    @Override
    public Evidence platform() {
        return platform.evidence();
    }

    @Override
    public Evidence guest(String adapter) {
        return platform.guest(adapter);
    }

    @Override
    public List<String> adapters() {
        return platform.adapters();
    }

    @Override
    public Evidence host() throws InterruptedException {
        return HostScript.run(reader);
    }

    @Override
    public Evidence read(Path path) throws InterruptedException {
        return reader.read(path);
    }

    @Override
    public Evidence read(Path path, HelperMachine machine, Consumer<String> progress) throws InterruptedException {
        return reader.read(path, machine, progress);
    }

    @Override
    public String script() {
        return HostScript.text();
    }

    @Override
    public Evidence withApplication(Evidence evidence, String line) {
        if (line.isBlank() || line.length() > LONGEST_LINE || line.contains("\n")) {
            throw new Refusal(Errno.EINVAL, "The line of an application has one to " + LONGEST_LINE
                    + " characters and no line break.");
        }
        return Answers.over(evidence, Applications.NAMED, line);
    }

    @Override
    public List<Diagnosis> examine(Evidence evidence, List<String> ids) throws InterruptedException {
        return examination.of(evidence, checks(), ids);
    }

    @Override
    public Survey survey(Evidence image) {
        return survey.of(image);
    }

    @Override
    public String page(String target, List<Diagnosis> diagnoses) {
        return Page.of(target, diagnoses);
    }
}
