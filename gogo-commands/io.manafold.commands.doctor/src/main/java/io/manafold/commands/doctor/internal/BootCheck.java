package io.manafold.commands.doctor.internal;

import io.manafold.api.doctor.BootableImage;
import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Doctor;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.HelperMachine;
import io.manafold.api.doctor.ImageBoot;
import io.manafold.api.doctor.Sighting;
import io.manafold.api.doctor.Survey;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.PlainText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Judges a disk by its files, boots it, and sets one beside the other. */
final class BootCheck {
    private final Doctor doctor;
    private final ImageBoot boot;

    BootCheck(Doctor doctor, ImageBoot boot) {
        this.doctor = doctor;
        this.boot = boot;
    }

    /**
     * Prints both.
     *
     * @param full adds to the evidence what the user has named
     * @param page is given all of it before anything that is wrong ends this
     * @return what the checks have found by the files
     */
    List<Diagnosis> run(Call call, Path disk, HelperMachine machine, Duration limit, UnaryOperator<Evidence> full,
            Consumer<List<Diagnosis>> page) throws InterruptedException {
        Consumer<String> progress = line -> call.err().println(PlainText.oneLine(line));
        try (BootableImage image = boot.open(disk, machine, progress)) {
            Evidence evidence = full.apply(image.evidence());
            Survey survey = doctor.survey(evidence);
            List<Diagnosis> diagnoses = doctor.examine(evidence, List.of());
            Sighting sighting = image.boot(limit, progress);
            if (call.json()) {
                call.print(SurveyText.fields(evidence.target(), survey, diagnoses)
                        .and("boot", SightingText.fields(survey, sighting)));
            } else {
                SurveyText.print(call.out(), survey);
                SightingText.print(call.out(), survey, sighting);
                DiagnosisText.print(call.out(), diagnoses);
            }
            List<Diagnosis> all = new ArrayList<>(SurveyText.diagnoses(evidence.target(), survey));
            all.addAll(SightingText.diagnoses(evidence.target(), sighting));
            all.addAll(diagnoses);
            page.accept(all);
            List<String> problems = SightingText.problems(survey, sighting);
            if (!problems.isEmpty()) {
                throw new Refusal(Errno.EIO, String.join(" ", problems));
            }
            return diagnoses;
        }
    }
}
