#!/bin/sh
# A guest for QEMU with nothing in it but Debian's kernel, its USB/IP client and a shell: kernel and initrd in the folder OUT.
#
#   sh build.sh OUT
#
# The kernel is downloaded (70 MB) and unpacked, never installed.
set -eu
out=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# apt drops its privileges to download.
chmod 755 "$work"

kernel=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[^ ]*\)$/\1/p' | head -n 1)
(cd "$work" && apt-get download -qq "$kernel" 2>/dev/null)
[ -n "$(find "$work" -name 'linux-image-*.deb')" ] || { echo "apt-get could not download '$kernel'" >&2; exit 1; }
dpkg -x "$work"/linux-image-*.deb "$work/kernel"

root=$work/root
mkdir -p "$root/bin" "$root/modules" "$root/proc" "$root/sys" "$root/dev" "$root/var/run" "$root/tmp"
cp /bin/busybox /usr/sbin/usbip "$root/bin/"
for library in $(ldd /usr/sbin/usbip | grep -o '/[^ ]*\.so[^ ]*'); do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done

modules='virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci virtio_console failover net_failover virtio_net
  hid hid-generic usb-common usbcore usbhid usblp usbip-core vhci-hcd netfs fscache 9pnet 9pnet_virtio 9p overlay'
for module in $modules; do
  find "$work/kernel/lib/modules" -name "$module.ko" -exec cp {} "$root/modules/" \;
done

cat >"$root/init" <<EOF
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin PS1= PS2=
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for module in $(echo $modules); do insmod /modules/\$module.ko; done
ifconfig lo up
ifconfig eth0 10.0.2.15 netmask 255.255.255.0 up
# A port is no terminal: what is written comes out as it is. It can be opened once.
until port=\$(ls /dev/vport*p1); do usleep 50000; done
exec 0<>"\$port" 1>&0 2>&1
echo @@ready
# It reads as ended until QEMU has connected it.
while :; do sh; done
EOF
chmod +x "$root/init"

mkdir -p "$out"
(cd "$root" && find . | busybox cpio -o -H newc 2>/dev/null | gzip -1 >"$out/initrd.new")
cp "$work"/kernel/boot/vmlinuz-* "$out/kernel"
# Last: a build that was cut short is not taken for whole.
mv "$out/initrd.new" "$out/initrd"
