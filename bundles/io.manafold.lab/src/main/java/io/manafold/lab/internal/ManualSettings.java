package io.manafold.lab.internal;

import io.manafold.api.device.SavedSetting;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.lab.LabChange;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What administrators have set on the devices of a lab, beside what its file says. */
final class ManualSettings {
    private ManualSettings() {
    }

    /** @param settings {@code null} if nothing is kept on this platform */
    static List<LabChange> of(String lab, SavedSettings settings) {
        List<LabChange> changes = new ArrayList<>();
        for (SavedSetting one : set(lab, settings)) {
            String detail = one.word() + " " + Words.clean(one.value(), 100)
                    + one.stated().map(file -> " instead of " + Words.clean(file, 100)).orElse("") + ", set by hand";
            changes.add(new LabChange(LabChange.Kind.KEPT, "devices", one.port(), detail));
        }
        return changes;
    }

    static void forget(String lab, SavedSettings settings) {
        Set<String> subjects = new LinkedHashSet<>();
        set(lab, settings).forEach(one -> subjects.add(one.subject()));
        subjects.forEach(settings::forget);
    }

    private static List<SavedSetting> set(String lab, SavedSettings settings) {
        return settings == null ? List.of() : settings.list().stream()
                .filter(one -> one.byHand() && one.lab().equals(Optional.of(lab))).toList();
    }
}
