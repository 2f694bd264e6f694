package io.manafold.api.doctor;

import java.util.List;

/**
 * What a check has said of a target.
 *
 * @param skippedBy the check because of which this one had nothing to look at, or {@code null}
 */
public record Diagnosis(String id, String name, String target, Finding finding, List<String> needs, String skippedBy) {
}
