package dev.waybill.standalone.console.access;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** IP addresses as they are compared. */
final class Addresses {
    private Addresses() {}

    /** One form for all ways to write an address; empty if it is none. Asks no name server. */
    static String plain(String address) {
        String text = address.strip();
        if (!text.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*")) {
            return "";
        }
        try {
            return InetAddress.getByName(text).getHostAddress();
        } catch (UnknownHostException e) {
            return "";
        }
    }
}
