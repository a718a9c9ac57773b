"""What is judged, behind one port: a command as a process, or a function in this one."""
