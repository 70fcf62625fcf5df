package dev.waybill.deadletter;

import java.time.Duration;

/**
 * The result of a step.
 *
 * @param redriven how many messages
 * @param state of the run after it
 * @param rest how long to wait before the next step, for the rate's sake
 */
public record RedriveStep(int redriven, RedriveRun.State state, Duration rest) {}
