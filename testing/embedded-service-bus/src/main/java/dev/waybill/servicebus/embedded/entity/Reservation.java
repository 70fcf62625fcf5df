package dev.waybill.servicebus.embedded.entity;

import java.util.List;

/**
 * Messages that are to be scheduled, perhaps: their numbers are given, and nothing else has happened.
 *
 * @param numbers what cancels them; 0 for a duplicate of a message that is known
 * @param keep schedules them; once at most
 */
public record Reservation(List<Long> numbers, Runnable keep) {
    public Reservation {
        numbers = List.copyOf(numbers);
    }
}
