package dev.waybill.servicebus.embedded.entity;

/**
 * What a tier allows, in bytes unless said otherwise.
 *
 * @param messageBytes the largest message or batch
 * @param headBytes the largest properties and application properties of one message
 * @param idLength the longest message, session and partition id, in characters
 */
public record Limits(int messageBytes, int headBytes, int idLength) {}
