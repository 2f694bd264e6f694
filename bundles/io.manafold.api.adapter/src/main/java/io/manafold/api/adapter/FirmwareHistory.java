package io.manafold.api.adapter;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The months whose firmware an adapter can behave like, and what each has brought; a service. Any thread may call.
 *
 * <p>From one month of the list to the next all is as in the earlier one.
 */
@ProviderType
public interface FirmwareHistory {
    /** The oldest first; it brought what has always been there. */
    List<FirmwareMonth> months();

    /** All messages that the newest firmware can be sent, those about trees of shapers as well, which no month has. */
    List<FirmwareMonth.Message> messages();

    /** All statuses with a name that messages are answered with, whichever firmware it is. */
    default List<MessageStatus> statuses() {
        return List.of();
    }

    /** As {@code 2026-10}: the latest month that an adapter can behave like, whether it brought something or not. */
    String latest();
}
