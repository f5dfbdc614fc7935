"""What `kotc verify` says of sheets: faults put into them, sound files of other programs, and bugs of our own."""
