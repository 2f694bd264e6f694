package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Which ports forward, by the numbers that users give. A port that goes without their doing keeps its place until it
 * comes back, under whatever number.
 */
final class ChosenPorts {
    private List<Place> places = List.of();

    /** @param awaited name of the port whose place it is while that has gone, else {@code null} */
    private record Place(int number, String awaited) {
        boolean isOf(EthDev port) {
            return awaited == null && number == port.number();
        }

        boolean awaits(EthDev port) {
            return port.name().equals(awaited);
        }
    }

    /** @param numbers none for all ports that there are */
    void choose(List<Integer> numbers) {
        places = numbers.stream().map(number -> new Place(number, null)).toList();
    }

    boolean isAll() {
        return places.isEmpty();
    }

    /** Numbers of ports that are not awaited, in order. */
    List<Integer> numbers() {
        return places.stream().filter(place -> place.awaited == null).map(Place::number).distinct().toList();
    }

    void gone(EthDev port) {
        replace(place -> place.isOf(port) ? new Place(place.number, port.name()) : place);
    }

    void came(EthDev port) {
        replace(place -> place.awaits(port) ? new Place(port.number(), null) : place);
    }

    private void replace(UnaryOperator<Place> each) {
        places = places.stream().map(each).toList();
    }
}
