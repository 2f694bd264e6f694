package io.manafold.adapter.internal;

import io.manafold.api.adapter.FirmwareHistory;
import io.manafold.api.adapter.FirmwareMonth;
import io.manafold.api.adapter.MessageStatus;
import io.manafold.gdma.Command;
import io.manafold.gdma.Status;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** What {@link Firmware} knows, month by month. */
@Component
public final class FirmwareMonths implements FirmwareHistory {
    private final List<FirmwareMonth> months;

    @Activate
    public FirmwareMonths() {
        TreeSet<YearMonth> steps = new TreeSet<>(List.of(Firmware.OLDEST.month()));
        Stream.of(Command.values()).map(Firmware::since).forEach(steps::add);
        Stream.of(FirmwareFeature.values()).map(FirmwareFeature::since).forEach(steps::add);
        List<FirmwareMonth> all = new ArrayList<>();
        Firmware before = null;
        for (YearMonth step : steps) {
            Firmware now = new Firmware(step);
            all.add(new FirmwareMonth(step.toString(),
                    Stream.of(Command.values()).filter(command -> Firmware.since(command).equals(step)
                    && !command.isPrivate())
                            .map(command -> new FirmwareMonth.Message(command.code(), command.label())).toList(),
                    Stream.of(FirmwareFeature.values()).filter(feature -> feature.since().equals(step))
                            .map(feature -> new FirmwareMonth.Feature(feature.label(), feature.meaning())).toList(),
                    limits(before, now)));
            before = now;
        }
        months = List.copyOf(all);
    }

    /** Those that are another than with the firmware before, all if there is none before. */
    private static List<FirmwareMonth.Limit> limits(Firmware before, Firmware now) {
        return Stream.of(FirmwareLimit.values())
                .filter(limit -> before == null || limit.of(before) != limit.of(now))
                .map(limit -> new FirmwareMonth.Limit(limit.label(), limit.of(now), limit.meaning())).toList();
    }

    @Override
    public List<FirmwareMonth> months() {
        return months;
    }

    @Override
    public List<FirmwareMonth.Message> messages() {
        return Stream.of(Command.values())
                .map(command -> new FirmwareMonth.Message(command.code(), command.label())).toList();
    }

    @Override
    public List<MessageStatus> statuses() {
        return Status.named().stream()
                .map(status -> new MessageStatus(status, Status.name(status), Status.meaning(status))).toList();
    }

    @Override
    public String latest() {
        return Firmware.NEWEST.toString();
    }
}
