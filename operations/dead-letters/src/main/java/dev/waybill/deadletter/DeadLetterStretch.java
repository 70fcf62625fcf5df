package dev.waybill.deadletter;

/**
 * A stretch of dead letters in the order of their arrival: so many that looking through all of them takes little time,
 * however many there are behind it, and however few of them fit a filter.
 *
 * @param filter the letters of the stretch that fit
 * @param last id of the last letter of the stretch; the next one begins behind it
 * @param isLast whether no letter comes behind it
 */
public record DeadLetterStretch(DeadLetterFilter filter, long last, boolean isLast) {}
