package io.manafold.gdma.driver;

import io.manafold.gdma.message.Response;

/**
 * What a device answered.
 *
 * @param status a value of {@link io.manafold.gdma.Status}
 * @param body {@code null} unless the status is success or that more entries are wanted
 */
public record Reply<R extends Response>(int status, R body) {
}
