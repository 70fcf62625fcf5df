package dev.waybill.servicebus.embedded.entity;

import java.util.List;

/**
 * Messages that may be scheduled: so far only their numbers are allocated.
 *
 * @param numbers cancel the messages; 0 for a known duplicate
 * @param keep schedules them; at most once
 */
public record Reservation(List<Long> numbers, Runnable keep) {
    public Reservation {
        numbers = List.copyOf(numbers);
    }
}
