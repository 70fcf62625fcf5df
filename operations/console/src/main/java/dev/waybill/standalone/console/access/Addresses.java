package dev.waybill.standalone.console.access;

import dev.waybill.standalone.config.AddressRange;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Normalises IP addresses. */
final class Addresses {
    /** The prefix of an IPv6 customer network. */
    private static final int BYTES_OF_A_CUSTOMER = 8;

    /** An address with brackets, port or zone. */
    private static final Pattern DRESSED =
            Pattern.compile("\\[([^\\]%]*)(%[^\\]]*)?](:[0-9]{1,5})?|([0-9.]+):[0-9]{1,5}");

    private Addresses() {}

    /** The canonical form; empty if the text is no address. Never queries a name server. */
    static String plain(String address) {
        return parsed(address).map(InetAddress::getHostAddress).orElse("");
    }

    static Optional<InetAddress> parsed(String address) {
        String text = address.strip();
        Matcher parts = DRESSED.matcher(text);
        if (parts.matches()) {
            text = parts.group(1) == null ? parts.group(4) : parts.group(1);
        }
        return AddressRange.address(text);
    }

    /** The address that failures count for; IPv6 addresses are reduced to their network. */
    static String counted(String address) {
        InetAddress parsed = parsed(address).orElse(null);
        if (!(parsed instanceof Inet6Address)) {
            return address;
        }
        try {
            byte[] network = Arrays.copyOf(Arrays.copyOf(parsed.getAddress(), BYTES_OF_A_CUSTOMER), 16);
            return InetAddress.getByAddress(network).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
