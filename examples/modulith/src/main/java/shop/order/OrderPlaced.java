package shop.order;

import org.springframework.modulith.events.Externalized;

/** An order; its messages keep the order of an item. */
@Externalized("orders::#{item()}")
public record OrderPlaced(String number, String item) {}
